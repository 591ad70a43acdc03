"""MC Funny: six comedians, four videos each. Everyone here is made up."""
from . import props as P
from .cast import look
from .play import A, B, F, O, PEOPLE

ARTISTS = [
    dict(slug="loadshed-lwazi", artist="Loadshed Lwazi", bg=("#2a1250", "#ff8a1f", "rays"), pose="mic", item="mic", expr="laugh",
         description="Soweto's brightest comic since the lights went off. Lwazi jokes about candles, kettles and the neighbour's generator.",
         look=look(skin="brown", hair="hightop", beard="goatee", top="hoodie", top_c="#ff8a1f", top_c2="#ffffff", legs_c="#2a2440", shoes_c="#ffffff")),
    dict(slug="aunty-pearl", artist="Aunty Pearl", bg=("#0f6a6a", "#ffd23f", "dots"), pose="hips", item=None, expr="grin",
         description="Every family has one. Aunty Pearl knows who ate the last koeksister, and she wants her lunch tubs back.",
         look=look(skin="honey", hair="bob", hair_c="#3a1f1a", top="dress", top_c="#d6336c", top_c2="#ffd23f", legs="skirt", legs_c="#d6336c", lash=True, ear="hoop", lips="#c21f4a", build=1.18, glasses="round", glasses_c="#7a2fa0", shoes_c="#7a2fa0")),
    dict(slug="tshepo-ten-past", artist="Tshepo Ten-Past", bg=("#123a7a", "#5ac8fa", "clock"), pose="shrug", item=None, expr="smirk",
         description="He was booked for eight. It is ten past nine. Tshepo explains why being late is a craft, and why you should have eaten first.",
         look=look(skin="deep", hair="twists", top="suit", top_c="#f2c230", top_c2="#123a7a", legs_c="#d9a62e", glasses="square", jaw=.46, shoes_c="#3a2418")),
    dict(slug="nomvula-no-filter", artist="Nomvula No-Filter", bg=("#7a1238", "#ff8ac4", "rays"), pose="point", item=None, expr="laugh",
         description="If she thinks it, she says it. Nomvula on taxis, gym in January, and the office birthday cake that nobody ordered.",
         look=look(skin="cocoa", hair="bigafro", top="stripe", top_c="#ffffff", top_c2="#7a1238", legs_c="#2a2a40", lash=True, ear="hoop", lips="#d6336c", shoes_c="#ff5d73")),
    dict(slug="kobus-kettle", artist="Kobus Kettle", bg=("#2f5f3a", "#ffb347", "plaid"), pose="cheer", item="tongs", expr="grin",
         description="Small-town philosopher, braai examiner, owner of two pairs of tongs. Kobus clicks both before he speaks.",
         look=look(skin="fair", hair="side", hair_c="#b5652a", beard="full", top="shirt", top_c="#4a7ac0", legs="shorts", legs_c="#c9b48a", build=1.22, jaw=.58, socks="#c9b48a", shoes_c="#6a4a30", freckles=True)),
    dict(slug="priya-pepper", artist="Priya Pepper", bg=("#5a1a6b", "#ff7a2a", "dots"), pose="up", item=None, expr="love",
         description="Durban heat in human form. Priya rates bunny chows by the number of fire engines, and has forty cousins on one beach.",
         look=look(skin="caramel", hair="ponytail", top="print", top_c="#ff7a2a", top_c2="#ffd23f", legs_c="#5a1a6b", lash=True, ear="stud", lips="#b5304a", shoes_c="#ffd23f", wide=.95)),
]
LWAZI, PEARL, TSHEPO, NOMVULA, KOBUS, PRIYA = (a["look"] for a in ARTISTS)


def stand_up(v, who, parts, sign, pose="mic", u=.079, x=.5):
    return dict(set="stage", v=v, sign=sign, parts=[
        O("micstand", x - .17, .87, .95), A(who, x, u=u, y=.88, pose=pose, expr="laugh", act="talk", item="mic"),
        F("haha"), *parts, F("heads")])


# slug, title, artist index, seconds, staging, sound
VIDEOS = [
    ("kettle-conspiracy", "The Kettle Conspiracy", 0, 6, stand_up(0, LWAZI, [O("kettle", .78, .86, 1.1, "shake"), B("It boils at 5:59!", .66, .42, .3, (.08, .4)), B("Power gone at 6!", .66, .42, .3, (.52, .9))], "COMEDY"), "laughs"),
    ("dating-by-candlelight", "Dating by Candlelight (Stage 6 Edition)", 0, 7, dict(set="dark_lounge", v=3, parts=[
        F("glow", x=.5, y=.62, r=.75, a=.5), A(LWAZI, .27, .088, 1.06, "hold", "grin", "talk", gaze=(1, 0)), A(PEOPLE["girl"], .73, .088, 1.06, "think", "flat", "look", gaze=(-1, 0)),
        O("candle", .5, .86, 1.0), B("So romantic, neh?", .35, .33, .3, (.08, .42)), B("The electricity bill is not paid?", .66, .34, .34, (.5, .92), tail=1)]), "romance"),
    ("generator-neighbours", "Generator Neighbours", 0, 6, dict(set="street", v=2, parts=[
        F("draw", f=lambda k, q: generator(k, q)), A(LWAZI, .3, .085, .98, "head", "angry", "shake"), A(PEOPLE["uncle"], .86, .075, .95, "hips", "grin", "laugh"),
        F("smoke", x=.62, y=.7, c="#6a6a78"), F("text", text="DRRRRRRR!", x=.62, y=.3, size=.17, rot=-6)]), "engine"),
    ("gogo-and-the-inverter", "Gogo and the Inverter", 0, 6, dict(set="lounge", v=0, parts=[
        O("bulb", .5, .34, .8, "pulse"), A(PEOPLE["gogo"], .33, .088, 1.02, "pointup", "wow", "talk"), A(LWAZI, .7, .085, 1.02, "palm", "flat", "bob"),
        B("Switch it off, it is using air!", .4, .26, .4, (.06, .55))]), "kwela"),
    ("my-tub-my-rules", "My Tub, My Rules", 1, 6, dict(set="kitchen", v=1, parts=[
        A(PEARL, .38, .095, 1.1, "pointup", "angry", "talk", item_l="tub"), O("tub", .78, .72, .8, "hop", label="SCONES?"), O("tub", .9, .72, .7, label="NEEDLES"), O("tub", .64, .72, .6, label="MINE"),
        B("Where is the LID?", .62, .3, .3, (.1, .5)), B("I counted them!", .62, .3, .3, (.58, .92))]), "marimba"),
    ("wedding-table-nine", "Wedding Table Nine", 1, 7, dict(set="marquee", v=0, parts=[
        A(PEOPLE["bride"], .2, .066, .9, "heart", "love", "bob"), A(PEOPLE["groom"], .32, .066, .9, "stand", "smile", "bob"), A(PEARL, .68, .09, 1.08, "mic", "laugh", "talk", item="mic"),
        O("gift", .44, .93, .8, "bob"), B("I knew him when he ate glue", .58, .28, .36, (.08, .55)), F("confetti")]), "wedding"),
    ("voice-notes-from-aunty", "Voice Notes from Aunty (11 Minutes)", 1, 6, dict(set=("#ff8ac4", "#7a2fa0"), parts=[
        F("rays", c="#ffffff20"), F("draw", f=lambda k, q: big_phone(k, q, PEARL)), A(PEOPLE["student"], .8, .085, 1.08, "ear", "sleep", "nod")]), "ring"),
    ("perm-at-seven", "Perm at Seven, Rain at Eight", 1, 6, dict(set="rainy", v=1, parts=[
        A({**PEARL, "hair": "bigafro"}, .42, .095, 1.12, "umbrella", "cry", "shake", item="umbrella"), A(PEOPLE["barber"], .8, .075, .98, "shrug", "oh", "bob"), F("rain"),
        F("text", text="R350!", x=.76, y=.28, size=.15)]), "rain"),
    ("african-time-explained", "African Time, Explained", 2, 6, stand_up(1, TSHEPO, [F("draw", f=lambda k, q: spinning_clock(k, q)), B("Eight means nine", .68, .4, .28, (.08, .45)), B("Nine means eat first", .68, .4, .28, (.52, .92))], "LATE SHOW", "shrug"), "laughs"),
    ("around-the-corner", "I'm Around the Corner", 2, 6, dict(set="bedroom", v=1, parts=[
        A({**TSHEPO, "top": "tee", "top_c": "#5ac8fa"}, .6, .09, 1.1, "ear", "grin", "talk", item="phone"), F("blanket", c="#3f8ac4"),
        B("I can see your gate!", .44, .34, .3, (.06, .5)), B("Five minutes, my bru", .44, .34, .3, (.54, .94)), F("zzz", x=.84, y=.5)]), "ring"),
    ("the-last-taxi", "The Last Taxi", 2, 6, dict(set="street", v=1, roll=1, parts=[
        O("taxi", .74, .93, .72, "rumble"), A(TSHEPO, .24, .075, .97, "up", "wow", "walk", n=10, run=12), F("lines"), B("Wait! Short left!", .3, .3, .3, (.1, .7)), F("smoke", x=.52, y=.9)]), "chase"),
    ("late-for-my-own-party", "Late for My Own Party", 2, 6, dict(set="garden", v=1, parts=[
        A(PEOPLE["friend"], .16, .072, .97, "fold", "flat", "nod"), A(PEOPLE["lady"], .3, .072, .97, "hips", "angry", "nod"), A(TSHEPO, .66, .09, 1.06, "up", "grin", "dance", step=False),
        O("plate", .46, .95, .9, "bob", kind="cake"), F("confetti"), B("Surprise!", .62, .27, .24, (.1, .6))]), "amapiano"),
    ("four-four-sitting", "Four-Four Sitting", 3, 6, dict(set="taxi_in", v=2, roll=1, parts=[
        A(PEOPLE["baba"], .12, .082, 1.05, "stand", "sleep", "sleep"), A(PEOPLE["student"], .33, .078, 1.06, "hold", "flat", "bob"), A(NOMVULA, .57, .086, 1.06, "shrug", "angry", "talk"), A(PEOPLE["gogo"], .82, .084, 1.06, "hold", "smile", "nod"),
        F("seats", v=0, y=.84), B("This is SIX-six!", .6, .24, .28, (.1, .6))]), "taxi"),
    ("pass-the-change", "Pass the Change to the Front", 3, 6, dict(set="taxi_in", v=1, roll=1, parts=[
        A(PEOPLE["gaatjie"], .18, .082, 1.05, "give", "smirk", "bob", item="note"), A(NOMVULA, .5, .09, 1.1, "give", "wow", "talk", item="coin"), A(PEOPLE["boss"], .82, .08, 1.05, "think", "think", "look"),
        F("seats", v=1, y=.85), B("Who is short R2?", .42, .26, .3, (.05, .45)), B("Maths at 6am, nee!", .55, .27, .32, (.5, .94))]), "taxi"),
    ("gym-in-january", "Gym in January", 3, 6, dict(set="gym", v=0, parts=[
        A({**NOMVULA, "top": "tee", "top_c": "#3ddc84", "legs": "shorts", "legs_c": "#20242f"}, .42, .086, 1.0, "flex", "cry", "shake"), A(PEOPLE["influencer"], .8, .075, .96, "phone", "smirk", "bob", item="phone"), F("sweat", x=.42, y=.28),
        B("Day one. I want to resign.", .56, .26, .36, (.08, .6))]), "gym"),
    ("office-birthday-cake", "The Office Birthday Cake", 3, 6, dict(set="office", v=1, parts=[
        A(PEOPLE["boss"], .18, .08, 1.0, "fold", "flat", "look"), A(PEOPLE["clerk"], .82, .078, 1.0, "hold", "sad", "nod"), A(NOMVULA, .5, .09, 1.06, "hold", "love", "bob", item="cake"),
        F("counter", c="#8a6a4a"), O("plate", .25, .78, .8, "hop", kind="cake"), B("R20 each, no slice?", .58, .28, .32, (.1, .55)), F("confetti", n=1)]), "kwela"),
    ("braai-master-exam", "The Braai Master Exam", 4, 7, dict(set="garden", v=0, parts=[
        A(KOBUS, .3, .09, 1.04, "pointup", "grin", "talk", item="tongs"), O("braai", .62, .96, 1.1), F("smoke", x=.62, y=.6), A(PEOPLE["intern"], .88, .076, 1.0, "hold", "wow", "bob", item="board"),
        B("Question one: who turns it?", .42, .24, .36, (.06, .46)), B("Only ME.", .42, .26, .2, (.52, .9))]), "fire"),
    ("bakkie-logic", "Bakkie Logic", 4, 6, dict(set="veld", v=0, roll=1, parts=[
        O("bakkie", .5, .92, 1.15, "rumble"), O("sofa", .34, .69, .4, "shake"), O("goat", .36, .6, .62, "bob"), F("draw", f=lambda k, q: in_cab(k, q, KOBUS)), F("smoke", x=.2, y=.9, c="#e0c090"),
        B("It will fit.", .72, .36, .24, (.1, .5)), B("One more couch!", .72, .36, .28, (.55, .92))]), "boeremusiek"),
    ("tongs-click-twice", "Always Click the Tongs Twice", 4, 6, stand_up(4, KOBUS, [O("braai", .8, .9, .8), F("burst", x=.24, y=.32, text="CLICK!", at=(.15, .45)), F("burst", x=.76, y=.3, text="CLACK!", at=(.5, .85), c="#5ac8fa")], "OPEN MIC", "cheer"), "laughs"),
    ("rugby-practice-for-dads", "Touch Rugby for Dads", 4, 6, dict(set="garden", v=2, parts=[
        A(KOBUS, .34, .085, 1.0, "wide", "oh", "walk", n=5, run=16), A(PEOPLE["boss"], .62, .08, .98, "head", "cry", "shake"), A(PEOPLE["uncle"], .86, .08, .98, "hips", "laugh", "laugh"), F("draw", f=lambda k, q: oval_ball(k, q)),
        F("sweat", x=.34, y=.3), B("My hamstring!", .6, .28, .26, (.15, .6))]), "boeremusiek"),
    ("mild-medium-ambulance", "Mild, Medium, Ambulance", 5, 6, dict(set="kitchen", v=4, parts=[
        A(PRIYA, .32, .09, 1.06, "give", "laugh", "talk", item="bunny"), A({**PEOPLE["boss"], "skin": "#e0503a"}, .74, .09, 1.08, "head", "wow", "shake"), F("smoke", x=.74, y=.22, c="#ffffff"),
        F("burst", x=.54, y=.3, text="HOT!", c="#ff8a1f", s=.8), F("sweat", x=.74, y=.3)]), "tabla"),
    ("monkey-stole-my-lunch", "A Monkey Stole My Lunch", 5, 6, dict(set="garden", v=0, parts=[
        O("monkey", .74, .52, 1.5, "hop"), O("plate", .74, .47, .5, "hop", kind="bunny"), A(PRIYA, .34, .092, 1.06, "up", "angry", "shake"), B("Put it DOWN, Kevin!", .46, .26, .34, (.06, .55)), O("monkey", .92, .98, 1.1, "bob")]), "marimba"),
    ("twenty-cousins-beach", "One Beach, Forty Cousins", 5, 6, dict(set="beach", v=0, parts=[
        *[A({**PEOPLE[n], "legs": "shorts"}, .06 + .1 * i, .048, .88 + .05 * (i % 2), "up", "grin", "cheer", n=3 + i % 3) for i, n in enumerate(["learner", "girl", "uncle", "kid", "aunty", "boy", "student", "lady", "fan2"])],
        A(PRIYA, .56, .088, 1.1, "shrug", "smirk", "talk"), O("cooler", .24, .99, .8), B("Who packed this car?", .62, .36, .32, (.1, .6))]), "beach"),
    ("arranged-wifi", "Arranged Wi-Fi", 5, 6, stand_up(5, PRIYA, [O("router", .79, .86, 1.2, "pulse"), B("Full bars. Good family.", .67, .42, .34, (.08, .5)), B("Fibre, not ADSL!", .67, .42, .3, (.55, .92))], "ONE NIGHT"), "laughs"),
]


def generator(k, q):
    with k.at(k.w * .6 + 2 * q.sin(19), k.h * .95 + 1.5 * q.sin(23), k.h / 270):
        k.rect(-44, -58, 88, 50, "#e23b3b", 8)
        k.rect(-34, -50, 40, 24, "#2a2d38", 4)
        k.circle(24, -34, 14, "#2a2d38")
        for i in range(5):
            k.line(-30, -46 + i * 4.4, 2, -46 + i * 4.4, "#5a5f6c", 2)
        k.limb([(-44, -8), (-44, -70), (44, -70), (44, -8)], "#2a2d38", 5)
        k.circle(-26, -6, 8, "#15151c")
        k.circle(26, -6, 8, "#15151c")


def big_phone(k, q, who):
    with k.at(k.w * .4, k.h * 1.02, k.h / 270, rot=-6 + 1.5 * q.sin(4)):
        def screen(k):
            k.rect(-80, -260, 160, 260, "#e5ddd0")
            k.rect(-80, -240, 160, 30, "#0f6a6a")
            with k.at(-56, -224, 12):
                from .cast import head
                head(k, who, "laugh")
            k.text("AUNTY PEARL", -38, -219, "bebas", 18, "#ffffff")
            for j in range(3):
                y = -188 + j * 56
                k.rect(-70, y, 118, 44, "#ffffff", 10)
                k.poly([(-58, y + 12), (-58, y + 30), (-44, y + 21)], "#0f6a6a")
                for i in range(14):
                    a = 3 + 11 * abs(q.sin(3 + (i + j) % 4, i * .13))
                    k.rect(-36 + i * 5.4, y + 21 - a, 3, a * 2, "#ff5d73" if i / 14 < q.saw(1, j * .3) else "#b8c0cc", 1.5)
                k.text(("11:04", "09:58", "12:31")[j], 22, y + 40, "bebas", 10, "#8a8f9a")
        P.phone(k, screen, w=150, h=262)


def spinning_clock(k, q):
    with k.at(k.w * .8, k.h * .62, k.h / 270 * 1.25):
        P.clock(k, 8 + 12 * q.p, (60 * q.p * 12) % 60)


def in_cab(k, q, who):
    from .cast import head
    with k.clip_rect(k.w * .5 - 12, k.h * .92 - 125, 46, 46):
        with k.at(k.w * .5 + 12, k.h * .92 - 98 - 2 * q.hop(8), 17):
            head(k, who, "grin", (1, 0))


def oval_ball(k, q):
    t = q.tri(2)
    with k.at(k.w * (.4 + .35 * t), k.h * (.5 - .3 * 4 * t * (1 - t)), k.h / 270, rot=720 * q.p):
        k.oval(0, 0, 19, 12, "#a8602f")
        k.arc(0, 0, 8, 12, 60, 240, "#ffffff", 2)
        k.line(-5, 0, 5, 0, "#ffffff", 2)
