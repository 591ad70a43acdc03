"""diski99: six footballers of made-up clubs, four videos each."""
import math

from . import cast as C, props as P, sets as S
from .cast import look
from .draw import ease, fade, lerp
from .play import A, B, F, O, PEOPLE


def kit(skin, hair, c, c2, n, top="kit", shorts="#ffffff", **kw):
    return look(skin=skin, hair=hair, top=top, top_c=c, top_c2=c2, number=n, legs="shorts", legs_c=shorts, socks=c, shoes_c=kw.pop("boots", "#15151c"), **kw)


ARTISTS = [
    dict(slug="thabiso-turbo", artist="Thabiso \"Turbo\" Mokwena", bg=("#0b3d2a", "#3ddc84", "stadium"), pose="hips", expr="smirk", short="TURBO",
         description="Winger, Vaal Comets. Does the hundred metres in eleven seconds, with the ball, in the wrong boots.",
         look=kit("cocoa", "hightop", "#2fbf71", "#ffe27a", 7, shorts="#0f5a3a", beard="chin", boots="#ffd23f")),
    dict(slug="spheroid-sipho", artist="Sipho \"Spheroid\" Dube", bg=("#7a1238", "#ffd23f", "rays"), pose="hold", item="ball", expr="grin", short="SPHEROID",
         description="Playmaker, Umlazi Drummers. Has not looked at the ball since 2019; it follows him home.",
         look=kit("deep", "locs", "#c8233f", "#ffffff", 10, top="vstripe", shorts="#15151c", beard="goatee", boots="#ffffff")),
    dict(slug="gloves-galant", artist="Riaan \"Gloves\" Galant", bg=("#123a7a", "#5ac8fa", "stadium"), pose="up", expr="angry", short="GLOVES",
         description="Goalkeeper, Paternoster Gulls. Grew up catching fish; says penalties are slower and smell better.",
         look=kit("honey", "curly", "#ff8a1f", "#1c2a55", 1, top="sash", shorts="#1c2a55", beard="stubble", boots="#5ac8fa", sleeves="long", cuff="#ffffff")),
    dict(slug="lerato-lightfoot", artist="Lerato \"Lightfoot\" Nkuna", bg=("#4a1a7a", "#ff8ac4", "rays"), pose="hips", expr="smile", short="LIGHTFOOT",
         description="Striker, Tzaneen Mangoes Ladies. Thirty-one goals last season, one of them with her back to goal and a snack in hand.",
         look=kit("brown", "braids", "#ffb020", "#7a2fa0", 9, top="chevron", shorts="#7a2fa0", lash=True, bead="#ff5d73", ear="stud", boots="#ff5d73")),
    dict(slug="bra-wall-majola", artist="Zakes \"The Wall\" Majola", bg=("#3a2a1a", "#f28a2e", "plaid"), pose="fold", expr="flat", short="THE WALL",
         description="Centre back, Karoo Windmills. Nothing has gone past him since a goat in 2021, and he still wants the replay.",
         look=kit("deep", "shaved", "#f4f1e6", "#c8434e", 5, top="stripe", shorts="#c8434e", beard="full", build=1.28, boots="#c8434e", num_c="#15151c")),
    dict(slug="dineo-dribble", artist="Dineo \"Dribble\" Petersen", bg=("#0f5a6a", "#ffe27a", "dots"), pose="point", expr="laugh", short="DRIBBLE",
         description="Midfielder, Mdantsane Kestrels. Learnt her tricks between parked taxis and still checks her mirrors.",
         look=kit("caramel", "puff", "#3fb8e8", "#123a7a", 8, top="halves", shorts="#123a7a", lash=True, ear="stud", boots="#ff8a1f")),
]
TURBO, SIPHO, GLOVES, LERATO, WALL, DINEO = (a["look"] for a in ARTISTS)


def opponent(L, c="#8d99ae", c2="#ffffff", n=4, hair="fade", skin="caramel"):
    return kit(skin, hair, c, c2, n)


def player(k, L, x, y, u, walk=None, pose="stand", expr="smile", flip=False, lean=0, tilt=0, item=None, rot=0):
    k.oval(x, y + u * .1, u * 1.6, u * .28, "#00000038")
    if flip:
        L = {**L, "number": None}  # a mirrored number would read backwards
    arms = {s: list(v) for s, v in C.POSES[pose].items()}
    if walk is not None and pose == "stand":
        w = math.sin(2 * math.pi * walk)
        arms = {"l": (14 + 34 * w, 40 + 60 * w), "r": (14 + 34 * w, 40 + 60 * w)}
    with k.at(x, y, u, rot=rot, flip=flip):
        C.figure(k, L, expr=expr, walk=walk, arms=arms, lean=lean, tilt=tilt, item=item)


def shot(k, q, who, v=0, word="GOAL!", curve=.3, rival=None, keeper=None):
    """Runs in, shoots, the ball bends into the net, the crowd goes up."""
    S.pitch(k, q, v, goal="right")
    p = q.p
    u = k.h * .062
    net_x, net_y = k.w * .99, k.h * .6
    if keeper:
        jump = ease((p - .42) / .12) * (1 - ease((p - .75) / .12))
        player(k, keeper, k.w * (.9 - .02 * jump), k.h * (.82 - .06 * jump), u * .92, pose="up" if jump > .2 else "wide", expr="wow", flip=True, rot=18 * jump)
    if rival:
        slide = ease((p - .18) / .15)
        player(k, rival, k.w * (.62 - .1 * slide), k.h * .9, u, walk=q.saw(5), flip=True, lean=-30 * slide * (1 - ease((p - .7) / .2)), expr="angry")
    run = min(p / .36, 1)
    x = k.w * lerp(.06, .42, ease(run)) if p < .86 else k.w * lerp(.42, -.1, 0)
    celebrating = p > .56
    if celebrating:
        player(k, who, k.w * .42 + k.w * .03 * q.sin(2), k.h * .93 - u * 1.2 * q.hop(7), u * 1.12, pose="up", expr="laugh")
    else:
        player(k, who, x, k.h * .93, u * 1.12, walk=q.saw(9) if run < 1 else .25, lean=12, expr="angry")
    if p < .36:
        bx, by, r = x + u * 1.9, k.h * .925 - 5 * q.hop(9), u * .42
    else:
        t = min((p - .36) / .18, 1)
        bx = lerp(x + u * 1.9, net_x, t)
        by = lerp(k.h * .925, net_y, t) - k.h * curve * 4 * t * (1 - t) + (k.h * .22 * ease((p - .56) / .15) if p > .56 else 0)
        r = u * .42
        for i in range(5):
            s = max(0, t - .035 * i)
            if 0 < t < 1:
                k.circle(lerp(x + u * 1.9, net_x, s), lerp(k.h * .925, net_y, s) - k.h * curve * 4 * s * (1 - s), r * (1 - .15 * i), "#ffffff38")
    with k.at(bx, by):
        P.ball(k, r, q.saw(7))
    if .58 < p < .95:
        P.confetti(k, k.w, k.h, p * 3, 26)
        g = 1 + .08 * q.sin(9)
        with k.at(k.w * .5, k.h * .42, g * min(1, (p - .58) / .05), rot=-5):
            k.text(word, 0, 0, "anton", k.h * .3, "#ffe27a", "c", "#0b2a18", k.h * .05)


def juggle(k, q, who, place="street", v=0, n=6, pose="stand", kids=True, text=None):
    """Keepie-uppies; a crowd of kids counts."""
    S.ALL[place](k, q, v)
    if kids:
        for i, (x, name) in enumerate(((.1, "boy"), (.22, "kid"), (.8, "learner"), (.92, "learnergirl"))):
            player(k, PEOPLE[name], k.w * x, k.h * .92 - k.h * .03 * q.hop(4, i * .2), k.h * .05, pose="up" if q.saw(2, i * .25) < .5 else "hold", expr="laugh")
    u = k.h * .078
    t = q.saw(n)
    side = 1 if int(q.p * n) % 2 else -1
    h = 4 * t * (1 - t)
    head_turn = int(q.p * n) % 3 == 2
    x = k.w * .5
    player(k, who, x + 4 * q.sin(n / 2 if n % 2 == 0 else n), k.h * .93, u, walk=(.25 if side > 0 else .75) + .03 * math.sin(6.28 * t), pose="wide", expr="grin", tilt=-side * 5, lean=-side * 3)
    with k.at(x + side * u * (1.4 - .9 * h) , k.h * .93 - u * (1.6 + h * (6.6 if head_turn else 4.4))):
        P.ball(k, u * .5, q.saw(n * 2))
    num = int(q.p * n) + 94
    with k.at(k.w * .82, k.h * .2, 1 + .25 * max(0, 1 - t * 4)):
        k.text(text or str(num), 0, 0, "anton", k.h * .15, "#ffd23f", "c", "#15151c", k.h * .025)


def penalty(k, q, who, v=0, save=True, kicker=None, word="SAVED!"):
    """From behind the spot: the keeper dives at the ball."""
    S.pitch(k, q, v, goal="front", horizon=.36)
    p, u = q.p, k.h * .056
    kick = ease((p - .3) / .16) * (1 - ease((p - .86) / .08))
    side = 1 if v % 2 else -1
    gx, gy = k.w * (.5 + side * .2), k.h * .28
    dive = ease((p - .33) / .14) * (1 - ease((p - .84) / .1))
    kx = k.w * (.5 + .02 * q.sin(4) * (1 - dive)) + side * k.w * .12 * dive
    player(k, who, kx, k.h * (.57 - .1 * math.sin(math.pi * min(dive, .5)) + .0), u * 1.1, pose="up" if dive > .1 else "wide", expr="angry" if p < .5 else "laugh", rot=side * 62 * dive)
    bx, by = lerp(k.w * .5, gx + (0 if save else side * k.w * .06), kick), lerp(k.h * .84, gy + k.h * .06, kick) - k.h * .12 * math.sin(math.pi * kick)
    with k.at(bx, by):
        P.ball(k, lerp(u * .7, u * .42, kick), q.saw(6))
    run = ease(p / .3)
    player(k, kicker or opponent(who), lerp(k.w * .16, k.w * .4, run * (1 - ease((p - .86) / .1))), k.h * 1.06, u * 1.75, walk=q.saw(7) if p < .3 else .2, expr="flat", lean=8)
    if .5 < p < .9:
        with k.at(k.w * .5, k.h * .78, 1 + .06 * q.sin(9), rot=-4):
            k.text(word, 0, 0, "anton", k.h * .22, "#5ac8fa" if save else "#ffe27a", "c", "#0a1a33", k.h * .045)


def tactics(k, q, who, v=0, title="THE PLAN", name=""):
    """A chalk board: arrows draw themselves; the player's face watches."""
    S.topdown(k, q, v)
    k.back("#0a101838")
    p = q.p
    us = ((.12, .5), (.26, .25), (.26, .75), (.4, .4), (.4, .65), (.56, .5))
    them = ((.88, .5), (.74, .28), (.74, .72), (.64, .4), (.62, .66))
    for i, (x, y) in enumerate(them):
        xx, yy = k.w * x + 6 * q.sin(2, i * .2), k.h * y + 6 * q.cos(2, i * .3)
        for a in (-1, 1):
            k.line(xx - 8, yy - 8 * a, xx + 8, yy + 8 * a, "#ff8a7a", 4.5)
    pts = [(k.w * x, k.h * y) for x, y in (
        ((.26, .75), (.42, .84), (.58, .72), (.68, .52), (.8, .38), (.93, .46)),
        ((.26, .75), (.36, .5), (.5, .74), (.62, .5), (.76, .7), (.93, .52)),
        ((.26, .75), (.3, .4), (.46, .3), (.5, .62), (.7, .8), (.93, .54)))[v % 3]]
    n = 60
    from .draw import skia
    path = k.spline(pts, closed=False)
    m = skia.PathMeasure(path, False)
    L = m.getLength()
    s = min(1, p / .7)
    for i in range(n):
        if i / n < s and i % 2 == 0:
            a, b = m.getPosTan(L * i / n)[0], m.getPosTan(L * (i + 1) / n)[0]
            k.line(a.x(), a.y(), b.x(), b.y(), "#ffe27a", 4)
    for i, (x, y) in enumerate(us):
        xx, yy = k.w * x + 5 * q.sin(2, i * .23), k.h * y + 5 * q.cos(2, i * .31)
        if i == 2:
            e = m.getPosTan(L * s)[0]
            xx, yy = e.x(), e.y()
            k.circle(xx, yy, 21 + 3 * q.sin(6), "#ffe27a60")
        k.circle(xx, yy, 13, who["top_c"])
        k.circle(xx, yy, 13, "#ffffff", 2.5)
        k.text(str(who["number"] if i == 2 else i + 2), xx, yy + 6, "anton", 15, "#ffffff" if who["top_c"] != "#f4f1e6" else "#15151c", "c")
    e = m.getPosTan(L * s)[0]
    with k.at(e.x() + 17, e.y() + 5):
        P.ball(k, 7, q.saw(9))
    k.text(title, k.w * .5, k.h * .17, "bangers", k.h * .13, "#ffffff", "c", "#00000080", 6)
    with k.at(k.w * .1, k.h * .24, k.h * .075, rot=3 * q.sin(2)):
        C.head(k, who, "smirk", (q.sin(1), .4))


def training(k, q, who, v=0, coach=True):
    """Dribbling round cones; the grass rolls by."""
    S.pitch(k, q, v, off=q.saw(1), crowd_on=False, horizon=.42)
    if coach:
        player(k, PEOPLE["coach"], k.w * .84, k.h * .72, k.h * .046, pose="pointup" if q.saw(2) < .5 else "hips", expr="angry")
    def cone(i, x):
        k.poly([(x - 11, k.h * .96), (x + 11, k.h * .96), (x, k.h * .86)], "#ff7a1f")
        k.poly([(x - 6, k.h * .92), (x + 6, k.h * .92), (x + 4, k.h * .895), (x - 4, k.h * .895)], "#ffffff")
    u = k.h * .082
    sway = q.sin(4)
    S.scroll(k, q.saw(2), k.w / 4, cone)
    player(k, who, k.w * .4, k.h * (.92 + .02 * sway), u, walk=q.saw(10), lean=10 + 6 * sway, tilt=-5 * sway, expr="grin")
    with k.at(k.w * .4 + u * (2.2 + .4 * q.sin(10)), k.h * (.92 + .03 * sway) - u * .4):
        P.ball(k, u * .46, q.saw(10))
    for i in range(4):
        t = q.saw(10, i * .25)
        k.circle(k.w * .37 - t * 40, k.h * .93, 3 + 7 * t, fade("#dff5c8", .5 * (1 - t)))


def slalom(k, q, who, v=0, rivals=3):
    """One against three: they slide, she goes round."""
    S.pitch(k, q, v, off=q.saw(1), horizon=.4)
    u = k.h * .068
    for i in range(rivals):
        t = q.saw(1, i / rivals)
        x = k.w * (1.25 - 1.6 * t)
        fall = ease((t - .45) / .1)
        player(k, opponent(who, "#39425a", "#ffd23f", 2 + i, ("fade", "twists", "shaved")[i % 3], ("cocoa", "honey", "deep")[i % 3]), x, k.h * (.82 + .05 * (i % 2)), u * .95, walk=q.saw(8) if fall < .2 else None, flip=True, rot=-70 * fall, expr="wow" if fall > .1 else "angry", pose="stand" if fall < .2 else "up")
    sway = q.sin(3)
    player(k, who, k.w * .38, k.h * (.91 - .04 * sway), u * 1.15, walk=q.saw(10), lean=12, tilt=5 * sway, expr="laugh")
    with k.at(k.w * .38 + u * 2.3, k.h * (.9 - .04 * sway) - 4 * q.hop(10)):
        P.ball(k, u * .46, q.saw(10))
    effect_lines(k, q)


def effect_lines(k, q):
    for i in range(7):
        y = k.h * (.5 + .06 * i)
        x = k.w * (1.2 - 1.6 * q.saw(4, i * .31))
        k.line(x, y, x + k.w * .1, y, "#ffffff50", 2.5)


def trophy_lift(k, q, who, v=0, word="CHAMPIONS"):
    S.pitch(k, q, v)
    k.back("#0a0f2038")
    for i in range(12):
        a = 2 * math.pi * (i / 12 + q.p / 6)
        k.poly([(k.w * .5, k.h * .36), (k.w * .5 + 500 * math.cos(a), k.h * .36 + 500 * math.sin(a)), (k.w * .5 + 500 * math.cos(a + .24), k.h * .36 + 500 * math.sin(a + .24))], "#ffe27a26")
    for i, x in enumerate((.14, .28, .72, .86)):
        player(k, {**who, "skin": ("cocoa", "honey", "deep", "caramel")[i], "hair": ("fade", "twists", "shaved", "curly")[i], "beard": None, "number": 2 + i, "lash": False}, k.w * x, k.h * .98 - k.h * .05 * q.hop(5, i * .3), k.h * .066, pose="up", expr="laugh")
    player(k, who, k.w * .5, k.h * 1.04 - k.h * .03 * q.hop(4), k.h * .088, pose="up", expr="laugh")
    with k.at(k.w * .5, k.h * (.26 - .03 * q.hop(4)), k.h / 270 * .95, rot=4 * q.sin(4)):
        P.trophy(k)
    P.confetti(k, k.w, k.h, q.p * 2, 30)


SCENES = {"shot": shot, "juggle": juggle, "penalty": penalty, "tactics": tactics, "training": training, "slalom": slalom, "trophy": trophy_lift}


VIDEOS = [
    ("turbo-last-minute", "Ninetieth Minute, Left Foot", 0, 6, dict(scene="shot", who=TURBO, v=0, rival=opponent(TURBO, "#c8434e"), word="LADUMA!"), "goal"),
    ("turbo-versus-taxi", "Turbo versus the Taxi", 0, 6, dict(set="street", v=0, roll=2, parts=[
        O("taxi", .26, .9, .62, "rumble"), A(TURBO, .66, .082, .98, "stand", "laugh", "walk", n=11, run=14), F("lines"), B("Even the taxi hooted", .4, .32, .34, (.1, .55))]), "chase"),
    ("turbo-cone-school", "Cone School at Dawn", 0, 6, dict(scene="training", who=TURBO, v=3), "training"),
    ("turbo-how-i-cut-inside", "How I Cut Inside", 0, 6, dict(scene="tactics", who=TURBO, v=0, title="CUT INSIDE!"), "tactics"),
    ("spheroid-hundred", "A Hundred and Nine Touches", 1, 6, dict(scene="juggle", who=SIPHO, v=1), "drums"),
    ("spheroid-free-kick", "The Banana Free Kick", 1, 6, dict(scene="shot", who=SIPHO, v=2, curve=.62, keeper=opponent(SIPHO, "#3ddc84", n=1), word="BANANA!"), "goal"),
    ("spheroid-derby-win", "Drummers Win the Coastal Cup", 1, 6, dict(scene="trophy", who=SIPHO, v=0), "fanfare"),
    ("spheroid-passing-lanes", "Seeing Passing Lanes", 1, 7, dict(scene="tactics", who=SIPHO, v=1, title="NO LOOK, NO STRESS"), "tactics"),
    ("gloves-three-penalties", "Three Penalties, One Keeper", 2, 6, dict(scene="penalty", who=GLOVES, v=0, save=True, kicker=opponent(GLOVES, "#c8434e", n=9)), "penalty"),
    ("gloves-shoot-out", "Shoot-out in the Rain Shadow", 2, 6, dict(scene="penalty", who=GLOVES, v=3, save=True, kicker=opponent(GLOVES, "#2f9e5a", "#ffe27a", n=11, hair="hightop", skin="deep"), word="NOT TODAY!"), "penalty"),
    ("gloves-beach-drills", "Beach Drills with the Gulls", 2, 6, dict(scene="juggle", who=GLOVES, place="beach", v=0, n=6), "beach"),
    ("gloves-talks-to-posts", "Why I Talk to the Posts", 2, 6, dict(set="pitch", v=1, goal="front", horizon=.36, parts=[
        A(GLOVES, .36, .082, 1.0, "hug", "love", "talk"), B("You saved me twice, my friend", .56, .28, .36, (.06, .5)), B("The crossbar is jealous", .56, .28, .34, (.56, .94)), F("hearts", x=.24, y=.6)]), "kwela"),
    ("lightfoot-hat-trick", "Hat-trick before Half-time", 3, 6, dict(scene="shot", who=LERATO, v=1, rival=opponent(LERATO, "#2f6fde", hair="puff"), word="NUMBER 3!"), "goal"),
    ("lightfoot-dances", "The Mango Dance", 3, 6, dict(set="pitch", v=2, parts=[
        *[A({**LERATO, "skin": s, "hair": h, "number": n}, x, .066, .94, "up", "grin", "dance") for s, h, n, x in (("deep", "puff", 4, .2), ("cocoa", "afro", 11, .8))], A(LERATO, .5, .086, 1.0, "up", "laugh", "dance")]), "amapiano"),
    ("lightfoot-one-v-three", "One against Three", 3, 6, dict(scene="slalom", who=LERATO, v=0), "chase"),
    ("lightfoot-school-visit", "Back at My Primary School", 3, 6, dict(set="classroom", v=0, text=("WELCOME LIGHTFOOT!",), parts=[
        A(LERATO, .63, .086, 1.02, "wave", "grin", "wave"), A(PEOPLE["learner"], .18, .06, .98, "up", "laugh", "cheer"), A(PEOPLE["learnergirl"], .32, .06, 1.0, "up", "laugh", "cheer", n=5), A(PEOPLE["teacher"], .88, .07, 1.0, "heart", "love", "bob"), F("desks")]), "marimba"),
    ("the-wall-nothing-passes", "Nothing Passes (Not Even Salt)", 4, 6, dict(set="pitch", v=0, parts=[
        A(WALL, .5, .105, 1.1, "wide", "angry", "shake", n=2), A(opponent(WALL, "#5ac8fa", n=9), .14, .06, .96, "head", "cry", "nod"), A(opponent(WALL, "#5ac8fa", n=10, skin="deep"), .86, .06, .96, "head", "wow", "nod"), O("ball", .2, .6, 1.1, "hop"), F("burst", x=.8, y=.25, text="BOUNCE!", at=(.3, .6)), F("burst", x=.2, y=.28, text="SORRY!", at=(.65, .95))]), "drums"),
    ("the-wall-header", "Header from the Halfway Line", 4, 6, dict(scene="shot", who=WALL, v=3, curve=.5, keeper=opponent(WALL, "#b57bff", n=1), word="WHAT!?"), "goal"),
    ("the-wall-and-the-goat", "The Wall and the Goat (2021)", 4, 6, dict(set="veld", v=2, parts=[
        A(WALL, .3, .09, 1.0, "shrug", "sad", "bob"), O("goat", .68, .94, 2.2, "bob"), O("ball", .85, .9, 1.2, "hop"), B("I want the replay.", .48, .3, .3, (.1, .6))]), "maskandi"),
    ("the-wall-set-piece", "Set Piece Homework", 4, 7, dict(scene="tactics", who=WALL, v=2, title="EVERYBODY BACK"), "tactics"),
    ("dribble-parked-taxis", "Between Parked Taxis", 5, 6, dict(scene="juggle", who=DINEO, place="rank", v=0, n=8, kids=True), "taxi"),
    ("dribble-chip-shot", "A Chip Shot? In This Economy?", 5, 6, dict(scene="penalty", who=opponent(DINEO, "#ffb020", "#7a2fa0", 1, "bun", "cocoa"), v=2, save=False, kicker=DINEO, word="CHIPPED!"), "penalty"),
    ("dribble-five-tricks", "Five Tricks in Seven Seconds", 5, 6, dict(scene="slalom", who=DINEO, v=3), "gqom"),
    ("dribble-kestrels-title", "Kestrels Fly: Title Night", 5, 6, dict(scene="trophy", who=DINEO, v=2), "fanfare"),
]
