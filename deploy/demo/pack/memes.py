"""Meme World: eight categories of twelve. A meme is a still staging with a caption above and below."""
from . import props as P
from .draw import light
from .play import A, B, F, O, PEOPLE


BANDS = ("#1b1f4a", "#7a2f14", "#5a1a6b", "#1f4a24", "#123f5a", "#3a2440", "#0f5a3a", "#24506b")
OVERLAID = {"five-more-minutes", "who-turns-it", "derby-family", "candle-chef", "gogo-remembers", "one-percent", "torch-story", "wrong-schedule", "router-dies",
            "meeting-email", "sick-voice", "team-building", "muted-mic", "cold-front", "four-seasons", "wind-hair", "maths-x", "sunburn-line", "night-data", "after-robot",
            "change-maths", "penalty-nerves", "owner-leaves", "generator-flex", "front-seat-pride", "payday-friday"}


def M(slug, top, bottom, set, parts, v=0, title=None, **kw):
    return dict(slug=slug, title=title or slug.replace("-", " ").capitalize(), top=top, bottom=bottom, staging=dict(set=set, v=v, parts=parts, **kw))


def draw(f):
    return F("draw", f=f)


def screen(text, c="#1f86c4", ink="#ffffff", size=34):
    def f(k):
        k.rect(-90, -130, 180, 130, c)
        k.text(text, 0, -52, "anton", size, ink, "c")
    return f


def bars(level, c="#3dbf6a", of=5):
    def f(k):
        for i in range(of):
            k.rect(-26 + i * 11, -50 - i * 6, 8, 14 + i * 6, c if i < level else "#b8c4d4", 2)
        k.text("Airtime" if level else "No data", 0, -24, "lilita", 11, "#33405a", "c")
    return f


def percent(n, c="#e5484d"):
    def f(k):
        k.rect(-20, -86, 40, 56, "#33405a", 6, stroke=4)
        k.rect(-7, -92, 14, 6, "#33405a", 2)
        k.rect(-16, -34 - 48 * n / 100, 32, 48 * n / 100, c, 3)
        k.text(f"{n}%", 0, -12, "anton", 17, "#33405a", "c")
    return f


def message(*lines):
    def f(k):
        y = -104
        for i, s in enumerate(lines):
            mine = s.startswith(">")
            k.rect(-24 if mine else -28, y, 52, 20, "#c8f2b8" if mine else "#ffffff", 6)
            k.text(s.lstrip(">"), 2 if mine else -2, y + 14, "lilita", 10.5, "#22303a", "c")
            y += 25
    return f


def puddle(k, q):
    k.oval(k.w * .5, k.h * .86, k.w * .34, k.h * .06, "#5aa9e6c0")
    k.oval(k.w * .46, k.h * .85, k.w * .14, k.h * .02, "#ffffff70")


def beds(k, q, c="#e5677d"):
    k.spline([(k.w * .02, k.h * .66), (k.w * .5, k.h * .6), (k.w * .98, k.h * .66), (k.w * 1.1, k.h * 1.1), (-k.w * .1, k.h * 1.1)], c)


def washing(k, q):
    k.spline([(-10, k.h * .34), (k.w * .5, k.h * .38), (k.w + 10, k.h * .33)], "#e8e8f0", 2.5, closed=False)
    for i, c in enumerate(("#e5484d", "#ffffff", "#5ac8fa", "#ffd23f", "#b57bff", "#3ddc84")):
        x, y = k.w * (.06 + .16 * i), k.h * (.355 + .02 * (i % 3 == 1))
        k.poly([(x, y), (x + 52, y), (x + 64, y + 22), (x + 48, y + 28), (x + 47, y + 76), (x + 5, y + 76), (x + 4, y + 28), (x - 12, y + 22)], c)


def wheel(k, q):
    k.circle(k.w * .5, k.h * .86, 62, "#1a1a22", 13)
    k.line(k.w * .5 - 58, k.h * .86, k.w * .5 + 58, k.h * .86, "#1a1a22", 10)


def lines_of(n, sign):
    def f(k, q):
        names = ("student", "mama", "baba", "girl", "uncle", "lady", "clerk", "friend")
        from .play import actor
        for i in range(n):
            t = i / n
            actor(k, q, A(names[i % 8], .92 - .62 * t, .034 + .02 * (1 - t) + .018 * t * 2, .82 + .1 * t, "fold" if i % 2 else "stand", ("flat", "sad", "think")[i % 3])[1])
        with k.at(k.w * .2, k.h * .76, k.h / 480 * 1.1):
            P.board(k, sign, 110)
    return f


def fence_goal(k, q):
    for x in (.18, .42):
        with k.at(k.w * x, k.h * .82, 1):
            k.rect(-12, -34, 24, 34, ("#c8434e", "#8a6a4a")[int(x > .3)], 3)


PAP = lambda x, y, s, kind="pap": O("plate", x, y, s, kind=kind)

CATEGORIES = [
    ("load-shedding", "Load Shedding", [
        M("kettle-first", "Lights are back", "Nobody move. Kettle first.", "kitchen", [A("baba", .3, .075, 1.02, "hold", "wow"), A("gogo", .72, .075, 1.02, "pointup", "angry"), O("kettle", .5, .7, .62), O("bulb", .52, .42, .45)], 0),
        M("one-percent", "Power goes off at 6", "My phone at 5:59", ("#2b2f6a", "#0c0f2a"), [F("rays", c="#ffffff12"), O("phone", .5, .86, 1.15, draw=percent(1)), A("cool", .16, .055, .98, "head", "cry"), A("girl", .86, .055, .98, "palm", "sad")]),
        M("candle-chef", "Fine dining, he said", "The menu is cereal", "dark_lounge", [F("glow", x=.5, y=.6, r=.6), A("groom", .24, .075, 1.0, "give", "grin"), A("lady", .78, .075, 1.0, "fold", "flat"), O("candle", .5, .8, .6), PAP(.5, .86, .42, "cake")], 2),
        M("router-dies", "The light goes off: I am calm", "The Wi-Fi goes off:", "lounge", [A("student", .42, .082, 1.02, "head", "cry"), O("router", .78, .8, .62, on=False)], 3),
        M("wrong-schedule", "Me, confident with my schedule", "It was the schedule for area 7B", "bedroom", [A("intern", .4, .08, 1.02, "hold", "oh", item="paper"), O("clock", .8, .36, .7, hour=6, minute=0), F("dark", c="#05051e90"), O("bulb", .76, .68, .55, on=False)], 0),
        M("gogo-remembers", "Gogo in the dark:", "\"In my day we called it evening\"", "dark_lounge", [F("glow", x=.72, y=.66, r=.55), A("gogo", .4, .085, 1.04, "fold", "smirk"), O("candle", .74, .88, .8)], 4),
        M("torch-story", "Found the torch!", "Used the last battery finding it", "dark_lounge", [A("boy", .5, .075, 1.0, "up", "grin", item="torch"), F("text", x=.5, y=.5, text="CLICK", size=.06, c="#8a90b0")], 1),
        M("inverter-family", "One house on the street has lights", "Suddenly we are all cousins", "street", [A("uncle", .12, .058, .97, "wave", "grin", item="cake"), A("aunty", .34, .058, .98, "hold", "love", item="pap"), A("friend", .56, .058, .97, "up", "laugh"), A("baba", .82, .075, 1.02, "fold", "flat"), O("bulb", .82, .42, .35)], 3),
        M("fridge-museum", "Day two. Do not open the fridge.", "It has a personality now", "kitchen", [O("fridge", .68, .96, .78, open_=1), F("smoke", x=.66, y=.6, c="#7fdc6a"), A("mama", .28, .078, 1.02, "head", "wow")], 3),
        M("robot-out", "The robots are out again", "Everyone: \"After you.\" \"No, after me.\"", "street", [O("taxi", .3, .86, .3), O("bakkie", .72, .93, .36, flip=True), A("guard", .5, .05, .84, "wide", "wow"), draw(lambda k, q: (k.rect(k.w * .87, k.h * .38, 26, 74, "#22252f", 6), [k.circle(k.w * .87 + 13, k.h * .38 + 14 + 23 * i, 9, "#4a4d58") for i in range(3)], k.rect(k.w * .87 + 10, k.h * .53, 6, 120, "#22252f")))], 0),
        M("generator-flex", "Neighbour's generator at 2am:", "Drrr drrr drrr freedom", "bedroom", [A("clerk", .5, .085, 1.1, "head", "angry"), draw(lambda k, q: beds(k, q, "#3f8ac4")), F("text", x=.7, y=.38, text="DRRRR!", size=.1, rot=-8)], 2),
        M("cooked-rice", "Pot on the stove, ten to six", "We are having crunchy rice", "kitchen", [A("chef", .32, .08, 1.02, "stir", "sad", item="spoon"), O("pot", .66, .71, .62), O("clock", .82, .4, .62, hour=5, minute=50)], 4),
    ]),
    ("taxi-tales", "Taxi Tales", [
        M("change-maths", "They said I'd never use maths", "Front seat, 14 people, one R200 note", "taxi_in", [A("student", .5, .085, 1.04, "head", "wow", item="note"), O("note", .2, .56, .6, rot=-12, text="R200"), O("coin", .8, .56, .9), O("coin", .88, .62, .8, text="R2"), F("seats", y=.88)], 0),
        M("four-four", "\"Four-four masihlale\"", "I am the fifth four", "taxi_in", [A("baba", .14, .072, 1.04, "fold", "flat"), A("aunty", .36, .072, 1.04, "hold", "smile"), A("intern", .52, .056, .98, "hold", "wow", tilt=12), A("gogo", .68, .072, 1.04, "hold", "smile"), A("uncle", .88, .072, 1.04, "fold", "smirk"), F("seats", v=1, y=.88)], 1),
        M("after-robot", "Me rehearsing \"After robot\"", "Me, past my stop, whispering it", "taxi_in", [A("lady", .5, .09, 1.08, "heart", "sad", gaze=(1, 0)), F("seats", v=2, y=.9), B("after robot...", .74, .6, .3, size=15)], 2),
        M("short-left-hero", "\"Short left, driver!\"", "Already parked before the t in left", "rank", [O("taxi", .42, .8, .52), A("driver", .82, .07, .99, "fold", "smirk"), F("smoke", x=.1, y=.76)], 0),
        M("front-seat-pride", "Front seat passenger", "Also cashier, auditor and bank", "taxi_in", [A("bosslady", .5, .09, 1.06, "give", "smirk", item="note", item_l="coin"), O("note", .18, .62, .55, rot=10, text="R50"), F("seats", v=0, y=.9)], 1),
        M("last-one-leaves", "\"One more and we go\"", "The one more is still in the bath", "rank", [O("taxi", .5, .78, .6), A("gaatjie", .18, .066, .98, "pointup", "grin"), A("mkhulu", .84, .066, .98, "fold", "sleep"), F("zzz", x=.9, y=.44)], 1),
        M("hoot-language", "Two hoots: hello", "Three hoots: your life is changing", "street", [O("taxi", .46, .9, .52, lights=True), F("burst", x=.8, y=.52, text="HOOT!", s=.75), A("girl", .14, .058, .94, "up", "wow")], 0),
        M("sliding-door", "Please don't bang the door", "Door: *comes off in my hand*", "rank", [O("taxi", .34, .78, .48), A("boss", .72, .08, 1.02, "hold", "oh"), draw(lambda k, q: k.rect(k.w * .66, k.h * .58, 78, 96, "#f7f7f2", 8)), draw(lambda k, q: k.rect(k.w * .68, k.h * .6, 56, 38, "#22344a", 5))], 0),
        M("music-level", "Taxi speaker: 4000 watts", "Me: \"Sorry, what? I am on a call\"", "taxi_in", [A("clerk", .34, .082, 1.04, "ear", "angry", item="phone"), O("speaker", .78, .9, .85), F("notes", x=.66, y=.6), F("seats", v=1, y=.92)], 2),
        M("baby-and-fare", "She said hold the baby a moment", "That was in Durban. This is Polokwane.", "taxi_in", [A("cool", .5, .085, 1.05, "carry", "wow"), draw(lambda k, q: baby(k, k.w * .5, k.h * .68)), F("seats", v=2, y=.9)], 1),
        M("rain-hand-signal", "Raining. One seat left.", "Suddenly I know every hand signal", "rainy", [A("friend", .3, .072, 1.0, "up", "wow"), A("teacher", .54, .066, .98, "pointup", "angry"), O("taxi", .84, .9, .36), F("rain")], 0),
        M("driver-phone", "Driver steering with his elbow", "Also eating, also in an argument", "taxi_in", [A("driver", .5, .092, 1.06, {"l": (50, 40), "r": (40, -150)}, "grin", item="kota"), draw(wheel), O("phone", .22, .66, .45, rot=-14)], 0),
    ]),
    ("spaza-and-airtime", "Spaza & Airtime", [
        M("airtime-loan", "Borrowed R10 airtime", "My phone and I are no longer speaking", "spaza", [A("student", .34, .075, 1.0, "palm", "sad"), O("phone", .74, .88, .62, draw=message("You owe", ">who is this", "R10", ">new phone"))], 0),
        M("two-loose-sweets", "Sorry, no change", "Here is your salary in sweets", "spaza", [A("shop", .5, .062, .8, "give", "grin"), draw(lambda k, q: sweets(k)), A("boy", .2, .055, .98, "hold", "flat")], 1),
        M("half-loaf-fight", "Mom: \"Bring back the change\"", "The change: became chips", "spaza", [A("learner", .4, .078, 1.0, "hold", "grin", item="kota"), O("coin", .76, .66, .9, text="R0"), A("mama", .84, .06, .98, "hips", "angry")], 2),
        M("data-finishes", "I opened one video", "My data: \"It has been an honour\"", ("#0f6a6a", "#0a2a3a"), [F("rays", c="#ffffff12"), A("girl", .28, .078, 1.02, "ear", "wow"), O("phone", .7, .9, .95, draw=bars(0))]),
        M("please-call-me", "Please call me", "He is standing right there", "street", [A("uncle", .22, .07, .98, "ear", "grin", item="phone"), A("aunty", .66, .07, .98, "hips", "flat"), O("phone", .88, .9, .4, draw=message("Please", "call me"))], 1),
        M("spaza-cat", "The shop has a manager", "He sleeps on the bread", "spaza", [O("loaf", .36, .74, .62), O("loaf", .64, .74, .62), draw(lambda k, q: cat(k, k.w * .5, k.h * .6)), F("zzz", x=.42, y=.5)], 3),
        M("night-data", "Night data starts at midnight", "Me at 23:59", "bedroom", [A("cool", .5, .088, 1.1, "hold", "wow", item="phone"), draw(lambda k, q: beds(k, q, "#7a5cc4")), O("clock", .82, .34, .7, hour=11, minute=59)], 1),
        M("gogo-voicenote", "Gogo discovered voice notes", "Episode one of fourteen", "lounge", [A("gogo", .36, .082, 1.02, "ear", "grin", item="phone"), O("phone", .76, .9, .7, draw=message("12:04", "9:31", "15:20", ">ok gogo"))], 5),
        M("bread-price", "Bread last week: R17", "Bread today: \"Do you have a job?\"", "spaza", [O("loaf", .5, .66, 1.0), A("mkhulu", .2, .066, .98, "head", "wow"), A("clerk", .82, .066, .98, "palm", "sad")], 4),
        M("tuckshop-credit", "Write it in the book, my bra", "The book: volume six", "spaza", [A("shop", .5, .07, .84, "fold", "flat"), draw(lambda k, q: books(k)), A("friend", .18, .058, .98, "wave", "grin")], 2),
        M("wrong-number", "Sent R50 airtime", "To a stranger called Petrus", ("#c8327d", "#3a0f3a"), [F("rays", c="#ffffff16"), A("lady", .26, .075, 1.02, "head", "cry"), A("braaiguy", .76, .075, 1.02, "cheer", "laugh", item="phone"), F("confetti")]),
        M("kota-architect", "I only wanted a small kota", "The foundation is 300 mm", "spaza", [draw(lambda k, q: tall_kota(k)), A("gaatjie", .2, .062, .98, "up", "wow")], 0),
    ]),
    ("braai-time", "Braai Time", [
        M("who-turns-it", "Touch my tongs", "And see what happens", "garden", [A("braaiguy", .38, .088, 1.04, "fold", "angry", item="tongs"), O("braai", .76, .9, .68)], 0),
        M("five-more-minutes", "Food is ready in five minutes", "That was at Easter", "garden", [A("uncle", .3, .08, 1.02, "wave", "grin", item="tongs"), O("braai", .66, .92, .7), A("gogo", .9, .06, .98, "fold", "sleep")], 1),
        M("salad-assigned", "They told me to bring salad", "I see how they see me", "garden", [A("intern", .5, .088, 1.06, "hold", "cry"), PAP(.5, .84, .55, "salad"), F("smoke", x=.86, y=.7)], 2),
        M("one-wors", "Invited for a braai", "One wors. Nine witnesses.", "garden", [*[A(n, .1 + .2 * i, .055, .94, "hold", "wow", gaze=(0, 1)) for i, n in enumerate(("boss", "aunty", "student", "uncle", "lady"))], draw(lambda k, q: lone_wors(k))], 0),
        M("smoke-follows", "Wherever I sit", "The smoke: \"Hello, friend\"", "garden", [O("braai", .26, .94, .7), A("blondie", .68, .08, 1.02, "palm", "cry"), F("smoke", x=.6, y=.7), F("smoke", x=.72, y=.62)], 2),
        M("potjie-lid", "Do NOT lift the lid", "Me, every four minutes:", "garden", [O("potjie", .62, .92, .85), A("friend", .26, .076, 1.02, "give", "smirk"), F("steam", x=.62, y=.5)], 1),
        M("vegan-corner", "The vegetarian's corner", "One mushroom, socially distanced", "garden", [O("braai", .5, .9, .95, food=False), draw(lambda k, q: mushroom(k)), A("teacher", .16, .062, .98, "heart", "love")], 0),
        M("rain-starts", "Fire is finally perfect", "The sky: \"My turn\"", "garden", [O("braai", .66, .93, .75), A("braaiguy", .34, .08, 1.04, "umbrella", "cry", item="umbrella"), F("dark", c="#1a284850"), F("rain")], 2),
        M("dog-patience", "Nobody:", "The dog, since 11 this morning:", "garden", [O("braai", .28, .92, .72), O("dog", .7, .9, 1.35, expr="tongue")], 1),
        M("ice-mission", "Go fetch ice quickly", "Came back with a new life and no ice", "garden", [A("cool", .44, .082, 1.02, "cheer", "laugh", item="gift", item_l="icecream"), O("cooler", .8, .94, .7), A("baba", .14, .06, .98, "hips", "flat")], 0),
        M("pap-scale", "Just a little pap for me", "The little pap:", "kitchen", [draw(lambda k, q: pap_mountain(k)), A("student", .18, .065, 1.0, "up", "love")], 1),
        M("leftovers-law", "Guests leaving with four plates", "\"It's for the children.\" You have none.", "garden", [A("aunty", .42, .085, 1.04, "hold", "grin", item="tub", item_l="tub"), O("tub", .8, .95, .7, label="MEAT"), O("tub", .8, .83, .6, label="MORE"), O("tub", .8, .73, .5, label="PAP")], 2),
    ]),
    ("school-days", "School Days", [
        M("teacher-waits", "\"It's your own time you're wasting\"", "Sir, it is also your own time", "classroom", [A("teacher", .3, .078, .98, "fold", "flat"), O("clock", .82, .38, .5, hour=13, minute=55), A("learner", .62, .058, 1.0, "shrug", "smirk"), A("learnergirl", .82, .056, 1.0, "hold", "grin"), F("desks")], 0, text=("WAITING...",)),
        M("group-work", "Group project: four people", "Also group project:", "classroom", [A("learner", .14, .052, .96, "fold", "sleep"), A("student", .32, .055, .96, "hold", "laugh", item="phone"), A("learnergirl", .54, .075, 1.0, "head", "cry", item="paper"), A("friend", .82, .055, .96, "up", "grin"), F("zzz", x=.18, y=.42)], 1, text=("DUE TODAY",)),
        M("maths-x", "Dear maths", "Find your own x", "classroom", [A("learner", .5, .082, 1.02, "shrug", "flat"), F("desks")], 0, text=("2x + 7 = ?",)),
        M("school-shoes", "Bought three sizes too big", "\"You will grow into them\"", "lounge", [A({**PEOPLE["boy"], "top": "school", "top_c": "#1f4f3a", "top_c2": "#d9a62e"}, .42, .066, .84, "hips", "flat"), draw(lambda k, q: big_shoes(k)), A("mama", .8, .072, .98, "heart", "love")], 1, sofa=False),
        M("test-unknown", "Studied pages 1 to 40", "The test: page 41, footnote", "classroom", [A("learnergirl", .46, .082, 1.02, "head", "wow"), O("paper", .8, .84, .85, text="4/50"), F("desks")], 1, text=("GOOD LUCK",)),
        M("lunch-trade", "Swapped polony for a samoosa", "I now understand the stock exchange", "classroom", [A("boy", .36, .072, .98, "give", "smirk", item="note"), A("learner", .7, .072, .98, "hold", "sad", item="loaf"), F("rays", c="#ffd23f20")], 0, text=("BREAK",)),
        M("assembly-faint", "Assembly, 38 degrees", "Principal: \"And tenthly...\"", "street", [A("boss", .2, .075, .98, "pointup", "grin", item="paper"), *[A(n, .46 + .17 * i, .055, .96, "stand", e, tilt=10 * i) for i, (n, e) in enumerate((("learner", "sad"), ("learnergirl", "sleep"), ("boy", "cry")))], O("sun", .84, .36, .5, face="evil"), F("heat")], 0),
        M("report-hide", "Report? What report?", "It is under the mattress, page down", "bedroom", [A("learner", .4, .08, 1.04, "shrug", "smirk"), O("paper", .8, .76, .75, rot=18, text="F"), A("baba", .12, .062, .98, "hips", "angry")], 1),
        M("pen-borrow", "Can I borrow a pen?", "That pen has left the country", "classroom", [A("student", .36, .078, 1.0, "wave", "grin"), A("learnergirl", .7, .078, 1.0, "fold", "angry"), draw(lambda k, q: k.limb([(k.w * .49, k.h * .5), (k.w * .54, k.h * .42)], "#2f6fde", 7)), F("desks")], 0, text=("EXAM",)),
        M("late-again", "Late because of the taxi", "I live opposite the gate", "street", [A("learner", .38, .076, .98, "up", "grin", walk=.25, lean=8), A("guard", .76, .082, 1.02, "fold", "flat"), O("clock", .18, .5, .6, hour=8, minute=40)], 2),
        M("sports-day", "Sports day: 100 metres", "I came fourth out of three", "pitch", [A("kid", .74, .052, .84, "up", "laugh", walk=.3), A("learner", .52, .055, .9, "up", "grin", walk=.7), A("intern", .22, .072, 1.0, "head", "cry", walk=.2)], 1),
        M("matric-dance", "Matric dance budget: a house", "Arrived in uncle's bakkie", "street", [O("bakkie", .5, .93, .66), A({**PEOPLE["bride"], "top_c": "#b57bff", "legs_c": "#b57bff"}, .3, .05, .74, "wave", "laugh"), A("groom", .43, .05, .74, "stand", "grin")], 3),
    ]),
    ("monday-to-friday", "Monday to Friday", [
        M("email-well", "\"I hope this finds you well\"", "It found me like this", "office", [A("clerk", .46, .085, 1.03, "head", "cry"), F("counter", c="#8a6a4a"), O("laptop", .74, .75, .7)], 0),
        M("meeting-email", "This meeting", "Could have been a look", "office", [A("boss", .5, .074, .92, "pointup", "laugh"), A("intern", .18, .066, 1.0, "fold", "sleep"), A("bosslady", .82, .066, 1.0, "palm", "flat"), F("counter", c="#6b4a36")], 1),
        M("payday-friday", "Payday, 08:00: a king", "Payday, 08:45: a former king", "aisle", [A("groom", .3, .078, 1.0, "up", "laugh", item="note"), A("groom", .74, .078, 1.0, "hold", "cry", item="bag")], 0),
        M("muted-mic", "Spoke for nine minutes", "\"You are on mute, Sizwe\"", "lounge", [A("anchorman", .42, .082, 1.02, "point", "oh"), O("laptop", .8, .84, .8), F("text", x=.8, y=.54, text="MUTED", size=.07, c="#ff5a4d")], 2),
        M("sick-voice", "Calling in sick", "Rehearsing the voice since 5am", "bedroom", [A("friend", .46, .088, 1.1, "ear", "sad", item="phone"), draw(lambda k, q: beds(k, q, "#e8a83c")), B("*cough*", .74, .5, .26, size=18)], 1),
        M("queue-champion", "Arrived at 5am to be first", "I am number 212", "hall", [draw(lines_of(6, "FULL")), A("baba", .16, .075, 1.04, "hold", "cry", item="paper")], 0),
        M("system-offline", "\"The system is offline\"", "The system: one lady at lunch", "hall", [A("clerk", .5, .066, .82, "hold", "smile", item="cup"), draw(lambda k, q: k.rect(-10, k.h * .68, k.w + 20, k.h * .4, "#8a6a4a")), A("mkhulu", .22, .07, 1.04, "pointup", "angry"), A("girl", .8, .07, 1.04, "palm", "flat")], 3),
        M("team-building", "Team building on Saturday", "I already have a team. It is my bed.", "bedroom", [A("lady", .5, .085, 1.1, "hug", "sleep"), draw(lambda k, q: beds(k, q)), F("zzz", x=.62, y=.46)], 2),
        M("intern-everything", "Job: \"entry level\"", "Requirements: 40 years of experience", "office", [A({**PEOPLE["mkhulu"], "top": "suit", "top_c": "#39425a", "top_c2": "#c8434e"}, .36, .08, 1.02, "wave", "grin"), A("bosslady", .76, .076, 1.02, "hold", "think", item="paper")], 2),
        M("friday-three", "Friday 15:59", "\"Quick favour before you go?\"", "office", [A("student", .3, .08, 1.02, "up", "wow", walk=.25, lean=-6), A("boss", .74, .078, 1.02, "wave", "grin", item="paper"), O("clock", .52, .42, .6, hour=3, minute=59)], 3),
        M("printer-smells", "The printer smells fear", "And you have 60 pages due", "office", [draw(lambda k, q: printer(k)), A("teacher", .22, .075, 1.02, "head", "cry")], 1),
        M("salary-dates", "Month has 31 days", "My salary has 9", "aisle", [A("mama", .4, .08, 1.02, "shrug", "flat"), O("coin", .74, .62, 1.3, text="R3"), O("note", .76, .8, .8, text="R0")], 2),
    ]),
    ("diski-fever", "Diski Fever", [
        M("five-minutes-added", "Leading 1-0, 90 minutes gone", "Ref: \"plus a full school term\"", "pitch", [A("ref", .36, .085, 1.03, "pointup", "smirk", item="whistle"), A("coach", .78, .075, 1.02, "head", "cry"), O("clock", .6, .42, .55, hour=12, minute=0)], 0),
        M("couch-coach", "Never played a match", "Would have scored that", "lounge", [A("uncle", .36, .075, .96, "point", "angry", sit=True), O("tv", .8, .72, .62, draw=lambda k: (k.rect(-90, -120, 180, 120, "#2f9e4f"), P.ball(k, 14)))], 4),
        M("vuvuzela-lungs", "Doctor: \"Your lungs are fine\"", "My lungs:", "pitch", [A("fan", .34, .088, 1.04, {"l": (20, -40), "r": (40, -168)}, "oh"), draw(lambda k, q: horn(k)), F("text", x=.74, y=.46, text="VUUUU", size=.1, rot=-16)], 2),
        M("keeper-faith", "Our keeper has one job", "Today he applied for another", "pitch", [A({**PEOPLE["ref"], "top_c": "#ff8a1f", "top_c2": "#15151c", "number": 1, "skin": "honey", "hair": "curly"}, .34, .08, 1.0, "wave", "grin"), O("ball", .78, .7, 1.6), B("Brb", .5, .5, .2, size=20)], 1, goal="front", horizon=.36),
        M("derby-family", "Derby day in one house", "Nobody is passing the salt", "lounge", [A("fan", .26, .08, 1.0, "fold", "angry", gaze=(1, 0)), A("fan2", .76, .08, 1.0, "fold", "angry", gaze=(-1, 0)), A("gogo", .5, .06, .94, "head", "wow")], 0),
        M("five-a-side", "Back at five-a-side", "My knees: \"We were not told\"", "pitch", [A({**PEOPLE["boss"], "top": "kit", "top_c": "#5ac8fa", "legs": "shorts", "legs_c": "#1f2f55", "number": 9}, .42, .085, 1.02, {"l": (20, 10), "r": (20, 10)}, "cry", lean=14), O("ball", .76, .88, 1.7), F("sweat", x=.44, y=.36)], 3),
        M("jersey-wash", "We lost because", "Somebody washed the lucky jersey", "garden", [draw(washing), A("fan2", .3, .07, 1.0, "head", "cry"), A("mama", .74, .075, 1.0, "shrug", "smirk")], 0),
        M("stones-for-posts", "Goal posts: two bricks", "VAR: whoever shouts loudest", "street", [draw(fence_goal), A("boy", .62, .062, .96, "up", "laugh"), A("learner", .84, .064, .98, "pointup", "angry"), A("kid", .3, .05, .88, "wide", "wow"), O("ball", .48, .9, .9)], 2),
        M("owner-leaves", "It is his ball", "So he is captain, coach and ref", "street", [A("boy", .46, .085, 1.02, "hold", "smirk", item="ball"), A("friend", .14, .055, .94, "palm", "sad"), A("girl", .82, .055, .94, "hips", "flat")], 1),
        M("offside-explained", "Explain offside to me", "Takes out every salt shaker in the house", "kitchen", [A("baba", .3, .078, 1.02, "point", "grin"), draw(lambda k, q: shakers(k)), A("aunty", .82, .07, 1.02, "fold", "sleep")], 1),
        M("penalty-nerves", "Penalty in the last minute", "The whole street stops breathing", "lounge", [A("fan", .16, .062, .96, "head", "wow"), A("gogo", .38, .066, .98, "heart", "wow"), A("uncle", .62, .062, .96, "head", "wow"), A("kid", .84, .055, .96, "heart", "wow")], 3),
        M("goat-on-pitch", "Match stopped in minute 31", "New signing refuses to leave", "pitch", [O("goat", .46, .9, 1.65), A("ref", .84, .07, 1.0, "cheer", "angry", item="card")], 1),
    ]),
    ("mzansi-weather", "Mzansi Weather", [
        M("four-seasons", "Cape Town, one Tuesday", "Wear everything", "berg", [A({**PEOPLE["blondie"], "hat": "beanie", "hat_c": "#e5484d", "glasses": "shades", "top": "hoodie", "top_c": "#5aa9e6"}, .46, .085, 1.03, "umbrella", "flat", item="umbrella", item_l="icecream"), O("sun", .84, .42, .38, face="happy"), O("cloud", .16, .46, .8, c="#6a7286", face="angry")], 0),
        M("hadeda-alarm", "My alarm: 06:30", "The hadeda: 04:58", "garden", [O("hadeda", .56, .86, 2.1, beak=1), draw(lambda k, q: hadeda_call(k)), O("clock", .16, .5, .6, hour=4, minute=58)], 1),
        M("highveld-storm", "Hung up the washing", "Highveld at 4pm: \"Thank you\"", "garden", [draw(washing), F("dark", c="#1a2440a0"), F("rain"), A("mama", .5, .078, 1.03, "up", "cry"), draw(lambda k, q: bolt(k, k.w * .82))], 0),
        M("forty-degrees", "Limpopo, in the shade", "The shade has asked for shade", "veld", [O("sun", .5, .44, .75, face="evil"), A("uncle", .34, .062, .98, "palm", "sad"), O("cow", .74, .9, .9), F("heat")], 0),
        M("cold-front", "16 degrees in Durban", "Blankets, beanie, last will", "beach", [A({**PEOPLE["aunty"], "hat": "beanie", "hat_c": "#7a2fa0", "top": "hoodie", "top_c": "#5a6fb5"}, .44, .088, 1.04, "hug", "cry"), F("text", x=.8, y=.48, text="16°C", size=.12, c="#8ad8ff")], 0),
        M("wind-hair", "Fresh hair, fresh start", "The South-Easter:", "berg", [A({**PEOPLE["singer"], "hair": "bigafro", "hat": None}, .5, .088, 1.04, "head", "wow", lean=12, tilt=16), F("lines")], 1),
        M("pool-level", "The pothole is full again", "Swimming lessons at 10", "street", [draw(puddle), A({**PEOPLE["uncle"], "hat": None, "glasses": "round"}, .5, .07, 1.05, "up", "laugh", float=True), draw(lambda k, q: k.oval(k.w * .5, k.h * .93, k.w * .33, k.h * .075, "#5aa9e6")), A("kid", .16, .05, .88, "up", "laugh"), O("gift", .86, .9, .01)], 0),
        M("umbrella-brave", "Bought an umbrella for R50", "It met one cloud", "rainy", [A("bosslady", .42, .084, 1.03, "pointup", "flat"), draw(lambda k, q: broken_umbrella(k)), F("rain")], 1),
        M("monkey-sunday", "Left one window open", "Sunday lunch has been relocated", "kitchen", [O("monkey", .34, .72, 1.1), O("monkey", .7, .72, 1.25), PAP(.52, .72, .5, "vetkoek"), A("baba", .12, .066, 1.04, "head", "wow")], 3),
        M("winter-tiles", "5am, winter, bare feet", "The tiles chose violence", "bedroom", [A({**PEOPLE["friend"], "legs": "shorts"}, .42, .08, 1.0, "up", "wow", walk=.25), F("burst", x=.8, y=.62, text="YOH!", s=.7, c="#5ac8fa")], 1),
        M("sunburn-line", "\"I don't need sunscreen\"", "Served with chips", "beach", [A({**PEOPLE["braaiguy"], "skin": "#f0624a", "hat": None, "top": "tee", "top_c": "#ffffff"}, .44, .088, 1.04, "shrug", "sad"), PAP(.82, .9, .55, "kota")], 1),
        M("load-of-rain", "Prayed for rain", "Please cancel my subscription", "rainy", [O("taxi", .6, .88, .5), draw(lambda k, q: k.rect(-10, k.h * .84, k.w + 20, k.h * .2, "#4a8ac0d8")), A("pastor", .24, .075, 1.05, "up", "oh"), F("rain"), O("penguin", .9, .92, .7)], 3),
    ]),
]


def baby(k, x, y):
    from .cast import head, look
    k.oval(x, y + 26, 44, 30, "#ffe27a", rot=-8)
    with k.at(x - 26, y + 2, 21, rot=-10):
        head(k, look(skin="caramel", hair="shaved"), "laugh")


def sweets(k):
    for i, c in enumerate(("#ff5d73", "#3ddc84", "#ffd23f", "#5ac8fa", "#b57bff", "#ff8a1f", "#ff8ac4")):
        x, y = k.w * (.56 + .055 * i), k.h * (.69 + .02 * (i % 2))
        for sx in (-1, 1):
            k.poly([(x, y), (x + sx * 17, y - 8), (x + sx * 17, y + 8)], light(c, .3))
        k.oval(x, y, 11, 8, c)


def cat(k, x, y):
    k.oval(x, y, 84, 34, "#e08a2e")
    for i in range(4):
        k.arc(x - 30 + i * 22, y - 8, 10, 26, 200, 120, "#b5641a", 6)
    k.spline([(x + 70, y + 6), (x + 112, y - 4), (x + 104, y - 40)], "#e08a2e", 15, closed=False)
    k.circle(x - 66, y - 16, 34, "#e08a2e")
    for sx in (-1, 1):
        k.poly([(x - 66 + sx * 30, y - 30), (x - 66 + sx * 26, y - 64), (x - 66 + sx * 4, y - 44)], "#e08a2e")
        k.arc(x - 66 + sx * 13, y - 18, 8, 6, 20, 140, "#3a2010", 3)
        for j in (-1, 1):
            k.line(x - 66 + sx * 14, y - 4, x - 66 + sx * 44, y - 4 + j * 6, "#fff3e0", 1.5)
    k.poly([(x - 71, y - 10), (x - 61, y - 10), (x - 66, y - 4)], "#ff8a9a")


def books(k):
    for i, c in enumerate(("#c8434e", "#2f7f86", "#f2b632", "#7a5cc4", "#3dbf6a", "#2f6fde")):
        k.rect(k.w * .62 + (i % 2) * 8, k.h * .69 - i * 21, 124, 19, c, 3)
        k.text(f"CREDIT {i + 1}", k.w * .62 + 62 + (i % 2) * 8, k.h * .69 - i * 21 + 15, "bebas", 15, "#ffffff", "c")


def tall_kota(k):
    x, y = k.w * .58, k.h * .78
    for i, (c, h, w) in enumerate((("#e0a95c", 32, 150), ("#8ac24a", 12, 158), ("#f6c945", 12, 154), ("#c8574a", 18, 150), ("#e2483a", 12, 156), ("#f6c945", 12, 150), ("#ffd76a", 26, 140), ("#8ac24a", 10, 156), ("#c8574a", 18, 148), ("#fff3d6", 12, 140), ("#e0a95c", 30, 150))):
        y -= h
        k.rect(x - w / 2 + 3 * ((i * 7) % 3 - 1), y, w, h + 1, c, 7)
    k.line(x, y - 26, x, y + 30, "#b5793f", 4)
    k.circle(x, y - 26, 8, "#e5484d")


def lone_wors(k):
    with k.at(k.w * .5, k.h * .8, 1.1):
        P.plate(k, "none")
    P.wors(k, k.w * .5, k.h * .785, 1.3)


def mushroom(k):
    with k.at(k.w * .66, k.h * .66, 1.2):
        k.rect(-8, -18, 16, 20, "#f4ead8", 5)
        k.path("M -26,-16 Q 0,-52 26,-16 Z", "#c9a27a")
        for x, y in ((-10, -24), (6, -30), (12, -20)):
            k.circle(x, y, 3.5, "#f4ead8")


def pap_mountain(k):
    x, y = k.w * .58, k.h * .8
    k.oval(x, y, 130, 26, "#e9edf2")
    k.spline([(x - 112, y - 4), (x - 70, y - 110), (x - 12, y - 190), (x + 34, y - 176), (x + 84, y - 90), (x + 112, y - 4)], "#fffdf4")
    k.spline([(x - 40, y - 140), (x - 12, y - 188), (x + 34, y - 174), (x + 50, y - 140), (x + 20, y - 150), (x, y - 132), (x - 18, y - 150)], "#d2502c")
    k.limb([(x + 6, y - 186), (x + 6, y - 226)], "#6a4a30", 3)
    k.poly([(x + 6, y - 226), (x + 38, y - 217), (x + 6, y - 206)], "#3ddc84")


def big_shoes(k):
    for x in (.3, .47):
        k.spline([(k.w * x - 28, k.h * .86), (k.w * x - 26, k.h * .79), (k.w * x + 8, k.h * .79), (k.w * x + 66, k.h * .83), (k.w * x + 66, k.h * .86)], "#15151a")


def printer(k):
    with k.at(k.w * .64, k.h * .8, 1.5):
        k.rect(-60, -70, 120, 66, "#5a6274", 8)
        k.rect(-66, -46, 132, 42, "#39404f", 8)
        k.rect(-40, -96, 80, 30, "#ffffff", 2)
        k.rect(-36, -16, 72, 40, "#ffffff", 2)
        k.rect(14, -62, 36, 14, "#e5484d", 3)
        k.text("JAM", 32, -51, "bebas", 13, "#ffffff", "c")
        for sx in (-1, 1):
            k.circle(-18 + sx * 12, -56, 4, "#ffd23f")
            k.line(-18 + sx * 18, -64, -18 + sx * 7, -60, "#15151c", 3)


def horn(k):
    with k.at(k.w * .4, k.h * .5, 1.7, rot=12):
        P.vuvuzela(k)


def shakers(k):
    for i in range(8):
        x, y = k.w * (.44 + .05 * i), k.h * (.71 - .035 * (i % 3))
        k.rect(x, y - 26, 16, 26, "#ffffff" if i % 2 else "#e5484d", 4)
        k.rect(x, y - 32, 16, 8, "#8d99ae", 3)
    k.spline([(k.w * .46, k.h * .58), (k.w * .6, k.h * .52), (k.w * .76, k.h * .56)], "#2f6fde", 4, closed=False)


def hadeda_call(k):
    with k.at(k.w * .56, k.h * .42, rot=-8):
        k.text("HAAA-HA-DE-DAH!", 0, 0, "bangers", 46, "#ffd23f", "c", "#1b1b26", 9)


def bolt(k, x):
    k.poly([(x, k.h * .22), (x + 40, k.h * .22), (x + 14, k.h * .42), (x + 44, k.h * .42), (x - 22, k.h * .72), (x, k.h * .48), (x - 26, k.h * .48)], "#ffe27a")


def broken_umbrella(k):
    with k.at(k.w * .62, k.h * .4, 1.2, rot=150):
        P.umbrella(k, "#2f6fde", "#ffd23f")
