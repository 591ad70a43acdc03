"""The long films, one for each brand that shows videos: a small story each, told in shots."""
from . import horses as H, props as P
from .cast import look
from .comedy import LWAZI, TSHEPO
from .film import card, drawn, go, named, say, seen, shot
from .football import GLOVES, TURBO
from .play import A, F, O, PEOPLE
from .racing import CALLER, GROOM, MRSNAIDOO as OWNER, OLDPIET, THEMBI

GOGO, MKHULU = PEOPLE["gogo"], PEOPLE["mkhulu"]


def draw(f):
    return F("draw", f=f)


def glow(x, y, r, c, strength):
    """A light that does not flicker."""
    return draw(lambda k, q: k.glow(k.w * x, k.h * y, k.h * r, c, strength))


# ------------------------------------------------------------------------------------------------ MC Funny
def television(inner=None):
    def f(k, q):
        with k.at(k.w * .5, k.h * .98, k.h / 270 * 2.15):
            P.tv(k, inner)
    return draw(f)


def small_tv(x, y, s, c="#8fd0ff"):
    def f(k, q):
        with k.at(k.w * x, k.h * y, k.h / 270 * s):
            P.tv(k, lambda k: k.rect(-80, -106, 160, 92, c) if c else None)
    return draw(f)


def soapie(k):
    k.rect(-80, -106, 160, 92, "#f3c1d6")
    k.rect(-80, -40, 160, 30, "#c98fa8")
    from .cast import figure
    with k.at(-34, 10, 9.5):
        figure(k, PEOPLE["groom"], "point", "angry", gaze=(1, 0))
    with k.at(36, 12, 9.5):
        figure(k, PEOPLE["bride"], "head", "cry", gaze=(-1, 0))


def advert(k):
    k.rect(-80, -106, 160, 92, "#ffd23f")
    k.text("BUY ONE", 0, -66, "anton", 30, "#c8233f", "c")
    k.text("GET ONE", 0, -30, "anton", 30, "#c8233f", "c")


def continued(k):
    k.rect(-80, -106, 160, 92, "#15122a")
    k.text("TO BE", 0, -66, "anton", 28, "#ffffff", "c")
    k.text("CONTINUED", 0, -34, "anton", 28, "#ffd23f", "c")


def generator(x, y, s=1.0):
    def f(k, q):
        with k.at(k.w * x, k.h * y, k.h / 270 * s):
            k.rect(-44, -58, 88, 50, "#e23b3b", 8)
            k.rect(-34, -50, 40, 24, "#2a2d38", 4)
            k.circle(24, -34, 14, "#2a2d38")
            k.limb([(-44, -8), (-44, -70), (44, -70), (44, -8)], "#2a2d38", 5)
            k.circle(-26, -6, 8, "#15151c")
            k.circle(26, -6, 8, "#15151c")
    return draw(f)


def tiny_screen(k):
    k.rect(-32, -112, 64, 104, "#15122a")
    k.arc(0, -62, 16, 16, 30, 260, "#ffffff", 4)
    k.text("3%", 0, -22, "poppins", 16, "#ff5d73", "c")


def big_phone(k, q):
    with k.at(k.w * .5, k.h * 1.06, k.h / 270 * 2.1):
        P.phone(k, tiny_screen)


NIGHT = F("dark", c="#0a0a2ab8")
COMEDY_CARD = ("#2a1250", "#ffffff", "#ffb020")
gogo = lambda x=.34, **kw: named("Gogo", A(GOGO, x, **{"u": .074, "y": .99, "pose": "hold", "expr": "smile", **kw}))
lwazi = lambda x=.66, **kw: named("Lwazi", A(LWAZI, x, **{"u": .075, "y": 1.0, "pose": "stand", "expr": "smile", **kw}))
uncle = lambda x=.7, **kw: named("Uncle Vusi", A(PEOPLE["uncle"], x, **{"u": .072, "y": .98, "pose": "hips", "expr": "smirk", **kw}))

POWER = dict(
    folder="mcfunny", slug="the-last-two-minutes", title="The Last Two Minutes", by="LWAZI", root=62, beat=.5,
    voices={"Gogo": "old", "Lwazi": "man", "Uncle Vusi": "low", "Tshepo": "man", "The soapie": "low", "Everybody": "woman"},
    thumb=(4, 2.0),
    shots=[
        card(4, "The Last Two Minutes", "with Loadshed Lwazi and his Gogo", COMEDY_CARD, mood="glad", heard=[(0.2, 3.8, "[plucked strings]")]),
        shot(8, "lounge", [gogo(.36), lwazi(.62),
                           say("Gogo", "Thirty years I watch this soapie.", .4, 3.8, .36),
                           say("Gogo", "Tonight they say who the father is!", 4.2, 7.8, .36)], "glad", v=0),
        shot(4, ("#3a2a4a", "#2a1c38"), [television(soapie), say("The soapie", "The father of the child is…", .4, 3.6, .5)], "tense"),
        shot(4, "lounge", [gogo(.36, expr="wow", pose="head"), lwazi(.62, expr="wow"),
                           seen(F("dark", c="#06061ce8"), 1, 9), say("Gogo", "Is WHO?", 1.8, 3.6, .36)], "none", sounds=[(.9, "out")],
             heard=[(0.8, 1.7, "[the power goes]")], v=0),
        shot(8, "lounge", [NIGHT, glow(.5, .74, .8, "#ffb648", .55), gogo(.32, expr="angry", pose="pointup"), lwazi(.7, expr="sad", pose="shrug"), O("candle", .5, .9, 1.1),
                           say("Lwazi", "Stage six, Gogo. Two hours.", .4, 3.4, .7, tail=1),
                           say("Gogo", "It has two minutes left! Walk!", 4, 7.6, .32)], "sad", v=0),
        shot(8, "street", [F("dark", c="#0a0a2a98"), generator(.82, .93, .95), uncle(.62, y=.95), go(gogo(-.12, u=.075, y=.98, expr="wow"), 0, 3, .3), go(lwazi(-.26, u=.078, y=.98), 0, 3, .3),
                           say("Gogo", "Vusi! You have light!", 3.2, 5.4, .2), say("Uncle Vusi", "Ten rand a minute.", 5.7, 7.8, .6)], "busy",
             sounds=[(0, "engine"), (3.6, "engine")], heard=[(0.2, 3.0, "[a generator]")], v=2, sky=("#2a2f6a", "#7a5a9a")),
        shot(4, "street", [F("dark", c="#0a0a2a98"), gogo(.4, u=.12, y=1.38, expr="flat", pose="fold"), lwazi(.78, u=.12, y=1.41, expr="wow"),
                           say("Gogo", "I changed your nappies, Vusi.", .3, 3.7, .44)], "none", v=2, sky=("#2a2f6a", "#7a5a9a")),
        shot(4, "street", [F("dark", c="#0a0a2a98"), generator(.86, .98, 1.2), uncle(.5, u=.12, y=1.38, expr="oh", pose="head"),
                           say("Uncle Vusi", "First two minutes are free.", .3, 3.7, .46)], "busy", sounds=[(0, "engine")], v=2, sky=("#2a2f6a", "#7a5a9a")),
        shot(8, "lounge", [small_tv(.84, .84, 1.0, "#8fd0ff"), gogo(.2, expr="love"), lwazi(.42, expr="grin"), uncle(.62, y=1.02, expr="grin"),
                           say("Everybody", "Shhh! It is starting!", .4, 2.6, .42),
                           seen(F("dark", c="#06061ce0"), 4.6, 99), say("Uncle Vusi", "No petrol.", 5.6, 7.6, .62)], "tense",
             sounds=[(0, "engine"), (3.4, "cough")], heard=[(3.2, 5.4, "[the generator coughs and stops]")], v=2),
        shot(8, "spaza", [F("dark", c="#0a0a2a88"), gogo(.2, u=.08, y=.98, expr="sad"), lwazi(.44, u=.082, y=.99, pose="phone", expr="think", item="phone"), uncle(.68, u=.078, y=.98, expr="sad", pose="hold"),
                          say("Lwazi", "I have three percent. We stream it!", .4, 3.8, .44), say("Gogo", "Then stop talking and press!", 4.2, 7.6, .24)], "busy", v=0),
        shot(4, ("#2f2150", "#1a1233"), [draw(big_phone)], "tense", heard=[(.4, 3.6, "[the phone is loading]")], sounds=[(.6, "click"), (2.2, "click")]),
        shot(4, "spaza", [F("dark", c="#0a0a2a88"), gogo(.24, u=.115, y=1.38, expr="cry", pose="head"), lwazi(.68, u=.118, y=1.41, expr="flat", pose="hold", item="phone"),
                          say("Lwazi", "It has died.", 1, 3.6, .66, tail=1)], "none", sounds=[(.4, "out")], v=0),
        shot(8, "spaza", [F("dark", c="#0a0a2a88"), gogo(.24, u=.08, y=.98, expr="sad"), lwazi(.44, u=.082, y=.99, expr="sad"),
                          go(named("Tshepo", A(TSHEPO, 1.12, .084, .99, "wave", "grin")), 0, 2.4, -.38),
                          say("Tshepo", "Sorry I am late! Did I miss it?", 2.7, 5.1, .74), say("Tshepo", "I was the father. I played him!", 5.4, 7.8, .74)], "glad",
             sounds=[(0, "steps")], v=0),
        shot(4, "spaza", [F("dark", c="#0a0a2a88"), gogo(.36, u=.115, y=1.38, expr="wow", pose="pointup"), named("Tshepo", A(TSHEPO, .76, .115, 1.4, "palm", "smirk")),
                          say("Gogo", "You? In MY soapie?", .3, 2.2, .38), say("Tshepo", "I came late. They cut me.", 2.4, 3.9, .7, tail=1)], "none", sounds=[(3.3, "laughs")], v=0),
        shot(8, "street", [F("dark", c="#0a0a2a98"), seen(glow(.5, .4, 1.2, "#ffe9a0", .5), 2, 99), go(gogo(.2, u=.078, y=.98, expr="laugh", pose="up"), 3, 7, .2), go(lwazi(.4, u=.08, y=.99, expr="laugh", pose="up"), 3, 7, .2),
                           go(uncle(.58, u=.076, y=.98, expr="laugh", pose="up"), 3, 7, .2), go(A(TSHEPO, .74, .078, .98, "up", "laugh"), 3, 7, .18),
                           say("Everybody", "LIGHTS!", 2, 3.6, .5), say("Gogo", "Run, my children, run!", 4, 7.4, .36)], "glad",
             sounds=[(1.8, "on"), (3.4, "steps")], heard=[(1.2, 2.0, "[the power is back]")], v=2, sky=("#2a2f6a", "#7a5a9a")),
        shot(8, ("#3a2a4a", "#2a1c38"), [seen(television(advert), 0, 3), seen(television(continued), 3, 99), say("Gogo", "Not the adverts…", .4, 2.8, .3), say("Gogo", "TO BE WHAT?", 4, 7, .3)], "tense", sounds=[(3, "bell")]),
        shot(8, "lounge", [gogo(.3, expr="flat", pose="fold"), lwazi(.58, expr="smirk", pose="hold", item="kettle"), named("Tshepo", A(TSHEPO, .86, .082, 1.02, "shrug", "oh")),
                           say("Gogo", "Lwazi. Put the kettle on.", .4, 3.0, .3), seen(F("dark", c="#06061cf0"), 4.4, 99), say("Tshepo", "Not the kettle!", 3.2, 4.4, .84, tail=1),
                           say("Everybody", "LWAZI!", 5.6, 7.6, .5)], "calm", sounds=[(4.1, "click"), (4.4, "out"), (6.6, "laughs")], heard=[(4.4, 5.4, "[the power goes]")], v=0),
        shot(4, "lounge", [NIGHT, glow(.5, .74, .8, "#ffb648", .55), gogo(.3, u=.115, y=1.38, expr="flat", pose="fold"), O("candle", .54, 1.02, 1.5), lwazi(.78, u=.115, y=1.41, expr="sad"),
                           say("Gogo", "Two hours. Boil it on the candle.", .5, 3.7, .34)], "sad", v=0),
        card(4, "No kettle was boiled", "in the making of this film", COMEDY_CARD, mood="glad", heard=[(.2, 3.6, "[laughter]")]),
        card(4, "Well, one", "MC Funny · The Last Two Minutes", COMEDY_CARD, mood="glad"),
        card(4, "The End", "Gogo is still waiting for part two", COMEDY_CARD, mood="calm", heard=[(.2, 3.6, "[plucked strings]")]),
    ])


# --------------------------------------------------------------------------------------------------- diski99
DISKI_CARD = ("#0b3d2a", "#ffffff", "#ffe27a")


def wall(sign):
    """A high wall at the right of the street, with a board on it."""
    def f(k, q):
        k.rect(k.w * .62, k.h * .3, k.w * .5, k.h * .52, "#d9a06a")
        k.rect(k.w * .6, k.h * .27, k.w * .5, k.h * .045, "#a8713f")
        for j in range(5):
            for i in range(6):
                k.rect(k.w * (.63 + .08 * i - .04 * (j % 2)), k.h * (.34 + .09 * j), k.w * .07, k.h * .07, "#cf9560", 2)
        with k.at(k.w * .82, k.h * .66, k.h / 270 * .95):
            P.board(k, sign, 120, size=22, post=False)
    return draw(f)


def goal(x, y, s=1.0):
    return drawn(lambda k, q: P.goalposts(k, 190, 120), x, y, s)


def large_board(words, c="#fdf6e3", ink="#2a2118"):
    def f(k, q):
        with k.at(k.w * .5, k.h * .86, k.h / 270 * 1.5):
            P.board(k, words, 230, c, ink, size=44, post=False)
    return draw(f)


OLDKEEPER = {**MKHULU, "hat": "cap", "hat_c": "#1f4e9c"}
sbu = lambda x, **kw: named("Sbu", A(PEOPLE["boy"], x, **{"u": .06, "y": .97, "expr": "grin", **kw}))
kim = lambda x, **kw: named("Kim", A(PEOPLE["kid"], x, **{"u": .058, "y": .97, "expr": "smile", **kw}))
turbo = lambda x, **kw: named("Turbo", A(TURBO, x, **{"u": .073, "y": .98, "expr": "smirk", "pose": "hips", **kw}))
gloves = lambda x, **kw: named("Gloves", A(GLOVES, x, **{"u": .073, "y": .98, "expr": "smile", **kw}))
keeper = lambda x, **kw: named("Mkhulu", A(OLDKEEPER, x, **{"u": .074, "y": .98, "expr": "flat", "pose": "fold", **kw}))
a_goat = lambda x, y=.96, s=1.5, **kw: O("goat", x, y, s, **kw)

GOAT = dict(
    folder="diski99", slug="the-ball-over-the-wall", title="The Ball over the Wall", by="TURBO", root=64, beat=.5,
    voices={"Sbu": "child", "Kim": "child", "Turbo": "man", "Gloves": "low", "Mkhulu": "low", "Everybody": "woman"}, thumb=(5, 2.0),
    shots=[
        card(4, "The Ball over the Wall", "with Turbo, Gloves and a goat", DISKI_CARD, "anton", "glad", heard=[(.2, 3.8, "[plucked strings]")]),
        shot(8, "street", [wall("NO BALLS"), sbu(.2), kim(.44), O("ball", .3, .95, .8), say("Sbu", "Last goal wins!", .4, 3.4, .2), say("Kim", "You said that ten goals ago.", 4, 7.6, .44)], "glad",
             sounds=[(3.5, "bounce")], v=0),
        shot(4, "street", [wall("NO BALLS"), sbu(.2, expr="wow", pose="up"), kim(.44, expr="wow", pose="head"), seen(go(O("ball", .28, .9, .8), .4, 1.6, .6, -1.0), .4, 2), say("Kim", "NOT OVER THE WALL!", 1.2, 3.7, .44)], "none",
             sounds=[(.4, "kick")], v=0),
        shot(4, "street", [wall("NO BALLS"), sbu(.3, expr="sad"), kim(.46, expr="flat", pose="fold"), say("Sbu", "That was my birthday ball.", 1.4, 3.8, .3)], "sad", sounds=[(.3, "bounce")],
             heard=[(.2, 1.3, "[a ball bounces behind the wall]")], v=0),
        shot(8, "street", [wall("NO BALLS"), sbu(.3, expr="sad"), kim(.46, expr="sad"), go(turbo(-.12), 0, 2, .24), say("Turbo", "Who died?", 2.3, 4, .14), say("Turbo", "I am the fastest in the league. Wait here.", 4.3, 7.7, .14)], "busy",
             sounds=[(0, "steps")], v=0),
        shot(8, "garden", [a_goat(.76), O("ball", .6, .95, .8), go(turbo(-.1), 0, 2, .32), say("Turbo", "Nice goat. Quiet goat.", 2.4, 5, .22), say("Turbo", "Goat, we can talk about this.", 5.4, 7.8, .22)], "tense",
             sounds=[(5.0, "bleat")], heard=[(5.0, 5.4, "[the goat says no]")], v=0),
        shot(4, "garden", [a_goat(.44, 1.2, 3.5)], "none", sounds=[(1.2, "bleat")], heard=[(1.0, 2.4, "[the goat says it again]")], v=0, blur=3),
        shot(4, "street", [wall("NO BALLS"), sbu(.3, expr="wow"), kim(.46, expr="wow"), go(turbo(.62, expr="wow", pose="up"), 0, 1.6, -.48), say("Turbo", "It is faster than me!", 1.5, 3.8, .16)], "busy", sounds=[(0, "steps")], v=0),
        shot(8, "street", [wall("NO BALLS"), sbu(.42), kim(.54), turbo(.12, expr="sad", pose="hold"), go(gloves(-.14, pose="up"), 0, 2.4, .42), say("Gloves", "Move. This is work for a goalkeeper.", 2.6, 5.2, .28),
                           say("Gloves", "I talk to goalposts. A goat is easy.", 5.5, 7.8, .28)], "glad", sounds=[(0, "steps")], v=0),
        shot(8, "garden", [a_goat(.74), O("ball", .6, .95, .8), gloves(.24, pose="palm"), turbo(.08, u=.066, expr="oh"), say("Gloves", "Easy, my friend. Give me the ball.", .4, 3.4, .24), seen(go(keeper(1.12, expr="angry"), 4, 5.8, -.2), 4, 99),
                           say("Mkhulu", "Who shouts at Number One?", 5.6, 7.8, .86, tail=1)], "tense", sounds=[(3.4, "bleat"), (4, "steps")], v=0),
        shot(4, "garden", [keeper(.62, u=.115, y=1.38, expr="angry", pose="pointup"), a_goat(.22, 1.1, 2.6), say("Mkhulu", "My goat. My wall. My garden.", .4, 3.7, .6)], "none", v=0, blur=2.5),
        shot(8, "garden", [sbu(.2, expr="sad"), kim(.36, expr="sad"), keeper(.72, expr="sad", pose="stand"), O("ball", .52, .95, .8), say("Kim", "Sorry, Mkhulu. We only wanted to play.", .4, 3.4, .36),
                           say("Mkhulu", "Nobody came to play since 1968.", 4, 7.7, .7, tail=1)], "sad", v=0),
        shot(4, "garden", [gloves(.34, u=.115, y=1.38, expr="wow", pose="head"), turbo(.72, u=.112, y=1.38, expr="wow"), say("Gloves", "You are Lion Khumalo!", .5, 3.7, .36)], "glad", v=0, blur=2.5),
        shot(8, "garden", [goal(.7, .9, 1.0), keeper(.7, u=.066, y=.9, expr="smirk", pose="wide"), O("ball", .36, .95, .8), gloves(.12, u=.066), turbo(.26, u=.068, y=1.0), say("Mkhulu", "One penalty each. My ball until I miss.", .6, 3.9, .7, tail=1),
                           say("Turbo", "With respect, Mkhulu: stand back.", 4.3, 7.6, .26)], "tense", v=0),
        shot(4, "garden", [goal(.7, .9, 1.0), go(keeper(.7, u=.066, y=.9, expr="grin", pose="up"), .8, 1.4, -.1, -.06), turbo(.26, u=.068, y=1.0, expr="angry"), go(O("ball", .36, .95, .8), .7, 1.4, .27, -.5),
                           say("Everybody", "SAVED!", 1.6, 3.8, .5)], "none", sounds=[(.7, "kick"), (1.5, "cheer")], v=0),
        shot(4, "garden", [goal(.7, .9, 1.0), keeper(.7, u=.066, y=.9, expr="laugh"), gloves(.22, expr="oh", pose="head"), go(O("ball", .36, .95, .8), .4, 1.2, .5, -1.1), say("Gloves", "I only stop them.", 1.6, 3.8, .26)], "glad", sounds=[(.4, "kick")], v=0),
        shot(8, "garden", [goal(.7, .9, 1.0), keeper(.7, u=.066, y=.9, expr="smirk", pose="wide"), sbu(.2, expr="angry"), kim(.08, u=.05), seen(go(O("ball", .28, .95, .8), 2.2, 3.6, .16), 0, 3.6), go(a_goat(1.14, .97, 1.3, flip=True), .6, 3.2, -.56),
                           seen(go(O("ball", .44, .95, .8), 3.6, 4.1, .32, -.1), 3.6, 99), say("Sbu", "For my birthday ball!", .3, 2.2, .22), say("Everybody", "THE GOAT SCORES!", 4.3, 7.4, .5)], "busy",
             sounds=[(2.2, "kick"), (3.6, "bleat"), (4.2, "cheer")], v=0),
        shot(8, "garden", [keeper(.7, expr="laugh", pose="up"), sbu(.14, expr="laugh", pose="up"), kim(.26, expr="laugh", pose="up"), turbo(.4, expr="laugh"), gloves(.54, expr="laugh"), a_goat(.88),
                           say("Mkhulu", "Every Saturday. Nine o'clock.", .4, 3.2, .7, tail=1), say("Sbu", "And the goat?", 3.6, 5.2, .14), say("Mkhulu", "The goat is captain.", 5.5, 7.8, .7, tail=1)], "glad", sounds=[(5.2, "bleat")], v=0),
        shot(4, ("#d9a06a", "#cf9560"), [large_board("BALLS WELCOME, MIND THE CAPTAIN")], "calm", heard=[(.3, 3.7, "[a goat, content]")], sounds=[(1.5, "bleat")]),
        card(8, "Full time", "The Goat 1, Humans 0", DISKI_CARD, "anton", "calm"),
    ])


# -------------------------------------------------------------------------------------------------- ttmbhatv
TV_CARD = ("#3a1238", "#ffffff", "#ff8a7a")
DRESSED = {**MKHULU, "top": "suit", "top_c": "#24407a", "top_c2": "#f2c230", "legs_c": "#1f2f55", "hat_c": "#24407a"}
ROSE = {**GOGO, "top_c": "#c8434e", "top_c2": "#ffe2c8", "legs_c": "#8a2f3a", "hat_c": "#f2b632"}
POST = look(skin="brown", hair="braids", hat="cap", hat_c="#c8233f", top="shirt", top_c="#2f5fa0", legs_c="#24345a", lash=True, ear="stud")
thandeka = lambda x, **kw: named("Thandeka", A(POST, x, **{"u": .073, "y": .98, "expr": "smile", "pose": "hold", "item": "paper", **kw}))
joe = lambda x, **kw: named("Joe", A(kw.pop("as_", MKHULU), x, **{"u": .073, "y": .98, "expr": "smile", "pose": "stand", **kw}))
rose = lambda x, **kw: named("Rose", A(ROSE, x, **{"u": .073, "y": .98, "expr": "smile", "pose": "hold", **kw}))


def envelope(k, q):
    with k.at(k.w * .5, k.h * .52, k.h / 270, rot=-3):
        k.rect(-150, -84, 300, 168, "#fbf1dc", 5)
        k.poly([(-150, -84), (150, -84), (0, 20)], "#efe0c0")
        k.rect(92, -70, 44, 52, "#c8434e", 2)
        k.text("45c", 114, -38, "bebas", 20, "#ffffff", "c")
        k.text("Mr Joe Mokoena", -120, 42, "poppins", 19, "#3a3a5a")
        k.text("7 Marula Street", -120, 66, "poppins", 17, "#3a3a5a")
        k.circle(70, -40, 26, "#3a3a5a80", stroke=2)
        k.text("1996", 70, -34, "bebas", 17, "#3a3a5ac0", "c")


def big_clock(k, q):
    with k.at(k.w * .5, k.h * .5, k.h / 270 * 3.2):
        P.clock(k, 9, 50)


def bus_stop(x):
    def f(k, q):
        with k.at(k.w * x, k.h * .86, k.h / 270):
            P.board(k, "BUS STOP", 90, "#2f6fde", "#ffffff", size=22, h=36)
    return draw(f)


def table(x):
    def f(k, q):
        with k.at(k.w * x, k.h * .98, k.h / 270):
            k.rect(-46, -44, 92, 8, "#c98f5a", 3)
            k.rect(-40, -38, 80, 38, "#e5484d")
            with k.at(-18, -44, .4):
                P.plate(k, "vetkoek")
            with k.at(20, -44, .4):
                P.plate(k, "vetkoek")
    return draw(f)


STOP = dict(v=1, wires=False)
LETTER = dict(
    folder="ttmbhatv", slug="the-letter-for-number-seven", title="The Letter for Number Seven", line="The Letter for Number Seven: thirty years in the post", by="Marula Street", status="series",
    root=60, beat=.5714285714, voices={"Thandeka": "woman", "Joe": "low", "Rose": "old", "Clerk": "woman"}, thumb=(13, 2.0),
    shots=[
        card(4, "The Letter for Number Seven", "Marula Street", TV_CARD, "anton", "calm", heard=[(.2, 3.8, "[slow plucked strings]")]),
        shot(8, "hall", [thandeka(.36, expr="wow"), named("Clerk", A(PEOPLE["clerk"], .68, .07, .98, "hold", "think")), say("Thandeka", "This one lay behind the shelf.", .5, 3.8, .36), say("Clerk", "Look at the stamp. Nineteen ninety-six!", 4.2, 7.7, .64, tail=1)], "calm", v=0, sign="MARULA POST"),
        shot(4, ("#7a5a4a", "#5a3f34"), [draw(envelope)], "sad", heard=[(.3, 3.7, "[paper rustles]")], sounds=[(.6, "click")]),
        shot(8, "street", [go(thandeka(-.08), 0, 4.4, .62), say("Thandeka", "Number five. Number six.", .6, 3.6, .34), say("Thandeka", "Number seven.", 4.6, 6.2, .54)], "calm", sounds=[(0, "steps"), (6.4, "knock")], heard=[(6.4, 7.8, "[knocking]")], v=0),
        shot(8, "street", [thandeka(.34, expr="sad"), joe(.66), say("Thandeka", "A letter, sir. We are sorry it is late.", .4, 3.6, .34), say("Joe", "How late?", 4, 5.4, .66, tail=1), say("Thandeka", "Thirty years.", 5.8, 7.7, .34)], "none", view=(.56, .62, 1.15), v=0),
        shot(8, "street", [joe(.5, u=.118, y=1.42, expr="wow", pose="hold", item="paper"), say("Joe", "Dear Joe. Meet me at the bus stop, Sunday at ten.", .4, 4.0, .5), say("Joe", "We go to the sea. Your Rose.", 4.4, 7.6, .5)], "sad", view=(.6, .6, 1.3), v=0, blur=3),
        shot(4, "street", [thandeka(.5, u=.118, y=1.42, expr="oh", pose="hold", item=None), say("Thandeka", "Sir… today is Sunday.", .6, 3.7, .5)], "none", view=(.4, .6, 1.3), v=0, blur=3),
        shot(4, ("#e7c98a", "#d9b06a"), [draw(big_clock)], "tense", heard=[(.2, 3.8, "[a clock ticks: ten to ten]")], sounds=[(.5, "click"), (1.5, "click"), (2.5, "click")]),
        shot(8, "bedroom", [joe(.42, as_=DRESSED, expr="think", pose="head"), thandeka(.72, item=None, expr="grin"), say("Joe", "Shoes. Jacket. Hat. The other hat.", .4, 3.8, .42), say("Thandeka", "It is only a bus stop, sir.", 4.2, 7.6, .7, tail=1)], "busy", v=1, night=False),
        shot(4, "bedroom", [joe(.5, as_=DRESSED, u=.118, y=1.42, expr="smile"), say("Joe", "It was never only a bus stop.", .5, 3.8, .5)], "none", v=1, night=False, view=(.3, .6, 1.3), blur=3),
        shot(8, "street", [go(joe(-.06, as_=DRESSED), 0, 6.5, .74), go(thandeka(-.2, item=None, pose="stand"), 0, 6.5, .7), say("Thandeka", "Slowly! You are eighty!", 1.2, 4.0, .3), say("Joe", "I am late!", 4.4, 6.6, .58)], "busy", sounds=[(0, "steps"), (2.7, "steps")], v=1),
        shot(8, "street", [bus_stop(.88), table(.66), rose(.52), go(joe(-.1, as_=DRESSED, expr="oh"), 3, 6, .3), say("Rose", "Vetkoek! Hot vetkoek!", .6, 3.4, .52), say("Joe", "Excuse me, Mama…", 5.8, 7.8, .2)], "calm", sounds=[(3, "steps")], **STOP),
        shot(4, "street", [bus_stop(.88), joe(.3, as_=DRESSED, u=.112, y=1.4, expr="wow", pose="heart"), rose(.72, u=.112, y=1.38, expr="wow"), say("Joe", "Rose?", 1.4, 3.7, .3)], "none", blur=3, **STOP),
        shot(8, "street", [joe(.3, as_=DRESSED, u=.112, y=1.4, expr="sad", pose="hold"), rose(.7, u=.112, y=1.38, expr="flat", pose="hips"), say("Rose", "You are late, Joe.", .6, 3.6, .7, tail=1), say("Joe", "The post was late.", 4.2, 7.4, .3)], "sad", blur=3, **STOP),
        shot(8, "street", [rose(.5, u=.118, y=1.42, expr="smile", pose="heart"), say("Rose", "I came every Sunday. Then I got hungry.", .4, 3.9, .5), say("Rose", "So I began to sell vetkoek.", 4.3, 7.6, .5)], "calm", view=(.6, .6, 1.3), blur=3, **STOP),
        shot(4, "street", [thandeka(.5, u=.118, y=1.42, expr="cry", pose="head", item=None), say("Thandeka", "I am not crying. It is the onions.", .5, 3.8, .5)], "none", view=(.4, .6, 1.3), blur=3, **STOP),
        shot(8, "street", [bus_stop(.88), table(.7), joe(.3, as_=DRESSED, expr="grin"), rose(.5, expr="grin"), thandeka(.1, u=.066, item=None), say("Joe", "When is the bus to the sea?", .5, 3.6, .3), say("Rose", "At ten. It is always late. Sit.", 4.2, 7.6, .5)], "glad", **STOP),
        shot(4, "street", [bus_stop(.72), thandeka(.88, u=.066, item=None, pose="wave", expr="laugh"), go(O("taxi", -.4, .94, .9), .2, 2.2, .74), say("Thandeka", "It is on time!", 2.2, 3.9, .86, tail=1)], "glad", sounds=[(.3, "engine"), (1.6, "hoot")], heard=[(.2, 2.0, "[hooting]")], **STOP),
        shot(8, "beach", [joe(.46, as_=DRESSED, expr="love"), rose(.6, expr="love"), say("Rose", "Was it worth the wait?", .8, 3.8, .62, tail=1), say("Joe", "It was worth the stamp.", 4.2, 7.6, .46)], "calm", v=0),
        card(4, "The End", "Open your post", TV_CARD, "anton", "calm", heard=[(.2, 3.6, "[slow plucked strings]")]),
    ])


# --------------------------------------------------------------------------------------------------- raceday
RACE_CARD = ("#0f3a28", "#ffffff", "#f2c230")


def runner(x, y, s, coat, silk, number, rider="cocoa", jockey=True, at=0.0):
    a, b, pattern = silk
    return drawn(lambda k, q: H.gallop(k, q.saw(8, at), coat, (a, b), pattern, number=number, rider=rider, jockey=jockey), x, y, s)


RED, BLUE, GREEN = ("#e5484d", "#ffffff", "star"), ("#2f6fde", "#ffd23f", "hoops"), ("#3dbf6a", "#15151c", "spots")
monday = lambda x, y=.97, s=1.25, **kw: drawn(lambda k, q: H.standing(k, "grey", 2 * q.sin(1), q.sin(1), step=q.saw(6) if kw.get("walk") else None), x, y, s, kw.get("flip", False))
monday_runs = lambda x, y=.95, s=1.15: runner(x, y, s, "grey", BLUE, 7, "caramel")
hen = lambda x, y=.97, s=1.3, **kw: O("chicken", x, y, s, **kw)
piet = lambda x, **kw: named("Old Piet", A(OLDPIET, x, **{"u": .073, "y": .98, "expr": "flat", "pose": "fold", **kw}))
thembi = lambda x, **kw: named("Thembi", A(THEMBI, x, **{"u": .069, "y": .98, "expr": "smile", "pose": "hips", **kw}))
sello = lambda x, **kw: named("Sello", A(GROOM, x, **{"u": .073, "y": .98, "expr": "smile", **kw}))
owner = lambda x, **kw: named("Mrs Naidoo", A(OWNER, x, **{"u": .073, "y": .98, "expr": "flat", "pose": "fold", **kw}))
caller = lambda x, **kw: named("Caller", A(CALLER, x, **{"u": .1, "y": 1.3, "expr": "grin", "pose": "mic", "item": "mic", **kw}))


def horse_face(x, y, s, ear=0.0):
    return drawn(lambda k, q: H.face(k, "grey", q.sin(2) * .6, ear, 1 if q.saw(1) > .95 else 0), x, y, s)


def post(x):
    def f(k, q):
        k.rect(k.w * x - 4, k.h * .22, 8, k.h * .72, "#ffffff")
        for r, c in ((20, "#e5484d"), (14, "#ffffff"), (7, "#e5484d")):
            k.circle(k.w * x, k.h * .22, r, c)
    return draw(f)


NIGHTSTABLE = F("dark", c="#0a0a2a90")
HEN = dict(
    folder="raceday", slug="grey-monday-and-the-hen", title="Grey Monday and the Hen", line="Grey Monday and the Hen: the slowest horse has one friend", by="Kestrel Downs", status="people",
    root=62, beat=.5, voices={"Old Piet": "low", "Thembi": "woman", "Sello": "man", "Mrs Naidoo": "old", "Caller": "man", "Everybody": "woman"}, thumb=(18, 2.0),
    shots=[
        card(4, "Grey Monday and the Hen", "A story from Kestrel Downs", RACE_CARD, "anton", "glad", heard=[(.2, 3.8, "[plucked strings]")]),
        shot(8, "paddock", [monday(.36), piet(.7), thembi(.88), say("Old Piet", "Eleven races. Eleven times last.", .4, 3.7, .68, tail=1), say("Thembi", "He is not slow. He is bored.", 4.2, 7.7, .86, tail=1)], "calm", v=0),
        shot(8, "turf", [go(runner(-.2, .7, .5, "bay", RED, 2), 0, 3.2, 1.5), go(runner(-.34, .76, .56, "chestnut", GREEN, 4, at=.4), 0, 3.4, 1.6), seen(go(monday(-.2, .9, .8, walk=True), 3.6, 5.6, .5), 3.6, 99),
                         say("Caller", "They fly past the stand!", .4, 3.2, .5), say("Caller", "And Grey Monday… is eating the flowers.", 4.6, 7.8, .5)], "busy", sounds=[(.2, "hooves")], heard=[(3.3, 4.5, "[the hooves fade]")], v=0, rails=False),
        shot(4, "paddock", [owner(.4, u=.115, y=1.4, pose="pointup"), piet(.78, u=.11, y=1.4, expr="sad"), say("Mrs Naidoo", "One more race, Piet. Then he pulls a cart.", .4, 3.8, .4)], "sad", v=0, blur=3),
        shot(8, "stable", [NIGHTSTABLE, monday(.4, .98, 1.4), hen(.66, .97, 1.2), sello(.86, expr="smile", pose="hold"), say("Sello", "Your only friend is a hen, Monday.", .5, 3.8, .84, tail=1), say("Sello", "Good night, Mrs Feathers.", 4.4, 7.4, .84, tail=1)], "sad", v=0),
        shot(4, "stable", [NIGHTSTABLE, horse_face(.4, .9, 1.25), hen(.72, .98, 2.4)], "calm", heard=[(.8, 3.4, "[the hen clucks, the horse sighs]")], sounds=[(1, "click"), (1.4, "click")], v=0, blur=2),
        shot(8, "paddock", [go(hen(.5, .97, 1.2), .6, 3.6, .7), go(monday(.24, .95, .95, walk=True), 1, 4.4, .34), sello(.12, u=.066, expr="wow"), thembi(.9, u=.064, y=.9, expr="wow"), say("Sello", "Where she goes, he goes!", .8, 3.6, .16), say("Thembi", "How fast can a hen run?", 4.2, 7.6, .86, tail=1)], "glad", v=1),
        shot(8, "veld", [go(O("bakkie", .36, .88, .7), 3, 5.6, 1.0), go(hen(.28, .725, .7), 3, 5.6, 1.0), seen(go(runner(-.24, .93, .7, "grey", BLUE, 7, "caramel"), 3.6, 7, 1.6), 3.6, 99), say("Thembi", "Faster, Sello! Hold on, Mrs Feathers!", .3, 3.2, .3)], "busy",
             sounds=[(.4, "engine"), (3, "hooves")], heard=[(3.4, 7.4, "[engine and hooves]")], v=1, deco=False),
        shot(4, "veld", [piet(.5, u=.115, y=1.4, expr="wow", pose="phone", item="phone"), say("Old Piet", "My watch must be broken.", .5, 3.7, .5)], "none", v=1, view=(.3, .6, 1.2), blur=3),
        shot(8, "studio", [caller(.4), say("Caller", "Heritage Cup day at Kestrel Downs!", .4, 3.6, .5), say("Caller", "Six runners. And a hen in the good seats.", 4.1, 7.7, .5)], "glad", sounds=[(3.6, "bell")], v=0, title="CUP DAY"),
        shot(4, "turf", [post(.86), hen(.66, .97, 1.5), sello(.4, expr="think", pose="palm"), say("Sello", "Stay, Mrs Feathers. Just stay.", .5, 3.7, .4)], "tense", v=0, rails=False),
        shot(4, "turf", [go(runner(-.2, .7, .5, "bay", RED, 2), .6, 3.6, 1.5), go(runner(-.34, .76, .56, "chestnut", GREEN, 4, at=.4), .6, 3.7, 1.6), say("Caller", "They are off!", .2, 2.6, .5)], "busy", sounds=[(.2, "bell"), (.6, "hooves")], v=0, rails=False),
        shot(4, "turf", [go(monday_runs(-.2, .86, .66), 0, 3.6, .9), say("Caller", "Grey Monday is last. Again.", .4, 3.7, .5)], "busy", sounds=[(.1, "hooves")], v=0, rails=False),
        shot(4, "turf", [horse_face(.5, .98, 1.35, 1.0), say("Thembi", "You heard her too?", 1.8, 3.8, .66)], "none", sounds=[(.5, "click"), (.8, "click"), (1.1, "click")], heard=[(.4, 1.6, "[far away, a hen clucks]")], v=0, rails=False, blur=3),
        shot(4, "turf", [go(runner(.4, .7, .5, "bay", RED, 2), 0, 4, .3), go(monday_runs(-.3, .86, .6), 0, 4, 1.0), say("Caller", "Wait. Here comes Grey Monday!", .4, 3.6, .5)], "busy",
             sounds=[(0, "hooves")], v=0, rails=False),
        shot(4, "studio", [caller(.5, u=.125, y=1.5, expr="laugh"), say("Caller", "On the outside! He is FLYING!", .4, 3.7, .5)], "busy", sounds=[(0, "hooves")], v=0, title="LIVE"),
        shot(4, "turf", [post(.74), hen(.88, .95, 1.4), go(runner(-.1, .72, .52, "bay", RED, 2), 0, 2.4, .7), go(monday_runs(-.2, .86, .66), 0, 2.4, .86), say("Caller", "Grey Monday wins! By a beak!", 1.6, 3.9, .42)], "none",
             sounds=[(0, "hooves"), (1.7, "cheer")], heard=[(.1, 1.5, "[hooves]")], v=0, rails=False),
        shot(4, "turf", [owner(.34, u=.112, y=1.38, expr="wow", pose="head"), piet(.74, u=.112, y=1.4, expr="cry", pose="up"), say("Mrs Naidoo", "Who trained him?", .6, 3.7, .36)], "none", sounds=[(.1, "cheer")], v=0, rails=False, blur=3),
        shot(8, "paddock", [monday(.38, .97, 1.3), hen(.35, .6, 1.0), thembi(.66, expr="laugh", pose="up"), piet(.82, expr="grin", pose="up", item="trophy"), say("Old Piet", "Do not look at me. Ask the hen.", .6, 4.0, .8, tail=1),
                            say("Thembi", "She wants double corn.", 4.4, 7.6, .66)], "glad", v=0),
        shot(8, "stable", [NIGHTSTABLE, monday(.42, .98, 1.4), hen(.39, .56, 1.0), O("trophy", .7, .97, .8), sello(.88, u=.07), say("Sello", "Good night, champion.", .8, 3.8, .86, tail=1), say("Sello", "You too, Monday.", 4.4, 7.2, .86, tail=1)], "calm", v=0),
        card(4, "The End", "Grey Monday still eats the flowers", RACE_CARD, "anton", "glad"),
        card(4, "No hen was hurried", "Raceday TV", RACE_CARD, "anton", "calm", heard=[(.2, 3.6, "[plucked strings]")]),
    ])

FILMS = [POWER, GOAT, LETTER, HEN]
