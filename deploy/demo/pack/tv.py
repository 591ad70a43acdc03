"""TTMbha TV: six categories of six programmes."""
import math

from . import cast as C, props as P, sets as S
from .draw import dark, ease, fade, light, mix
from .play import A, B, F, O, PEOPLE, actor, bubble, effect, play, thing


def pot_show(k, q, v=0, chef="chef", dish="pap", pot="#c8434e", steam=True, say="", flames=True):
    """A cook behind the stove, stirring."""
    S.kitchen(k, q, v)
    actor(k, q, A(chef, .31, .098, 1.08, "give", "grin", "stir", item="spoon")[1])
    k.rect(-20, k.h * .7, k.w + 40, k.h * .05, "#3a3d48")
    k.rect(-20, k.h * .74, k.w + 40, k.h * .3, "#4a4d5a")
    for i in range(5):
        k.circle(k.w * (.3 + .1 * i), k.h * .79, 5, "#c9ced8")
    if flames:
        for i in range(6):
            P.flame(k, k.w * (.475 + .018 * i), k.h * .715, 15 + 5 * (i % 2), q.saw(6, i * .2))
    with k.at(k.w * .52, k.h * .7, k.h / 270 * .9):
        P.pot(k, pot, lid=q.hop(8) if not steam else 0)
        if steam:
            k.oval(0, -62, 50, 9, mix(pot, "#ffdc9a", .6))
            for i in range(5):
                t = q.saw(4, i / 5)
                k.circle(-30 + i * 15, -62 - 6 * math.sin(3.14 * t), 3 + 5 * t, fade("#fff2cf", 1 - t))
    P.wisps(k, k.w * .5, k.h * .42, q.saw(2), "#ffffff", 4, k.h * .28)
    with k.at(k.w * .8, k.h * .74 - 3 * q.hop(4), k.h / 270 * 1.05):
        P.plate(k, dish)
    if say:
        bubble(k, q, B(say, .6, .28, .34, (.1, .6))[1])


def topview(k, q, v=0, dish="salad", items=(), title=""):
    """Looking down on a board: a knife chops, ingredients circle in."""
    c = S.pick(v, "#d9a872", "#2f7f86", "#c8434e", "#e8d9b8", "#3a3f5a", "#7a9a4f")
    k.back(light(c, .1), c)
    for i in range(9):
        k.line(-20, k.h * i / 8, k.w + 20, k.h * i / 8 + 6, fade(dark(c, .3), .35), 2)
    k.oval(k.w * .36, k.h * .5, k.h * .37, k.h * .37, "#00000030")
    k.circle(k.w * .35, k.h * .48, k.h * .36, "#f6f2ea")
    k.circle(k.w * .35, k.h * .48, k.h * .29, "#ffffff")
    for i in range(22):
        t = ease(min(1, max(0, (q.tri(1) * 1.6 - i * .04))))
        a = i * 2.4
        r = k.h * (.05 + .2 * ((i * 7) % 10) / 10)
        x, y = k.w * .35 + r * math.cos(a), k.h * .48 + r * math.sin(a)
        sx, sy = k.w * (.8 + .05 * (i % 3)), k.h * (.2 + .03 * i)
        xx, yy = sx + (x - sx) * t, sy + (y - sy) * t - k.h * .25 * math.sin(math.pi * t)
        kind = items[i % len(items)]
        with k.at(xx, yy, k.h / 270, rot=i * 40 + 200 * t):
            if kind[0] == "o":
                k.circle(0, 0, 13, kind[1])
                k.circle(0, 0, 9, light(kind[1], .25))
                for j in range(3):
                    k.circle(5 * math.cos(j * 2.1), 5 * math.sin(j * 2.1), 1.6, dark(kind[1], .3))
            elif kind[0] == "-":
                k.rect(-16, -4, 32, 8, kind[1], 4)
            elif kind[0] == "l":
                k.oval(0, 0, 16, 8, kind[1])
                k.line(-13, 0, 13, 0, dark(kind[1], .25), 1.6)
            else:
                k.rect(-9, -9, 18, 18, kind[1], 4)
    with k.at(k.w * .78, k.h * .62 - k.h * .1 * q.hop(8), k.h / 270, rot=-16):
        k.rect(-12, -112, 24, 100, "#d8dde6", 6)
        k.rect(2, -112, 10, 100, "#b9c0cc", 4)
        k.rect(-9, -14, 18, 60, "#3a2418", 6)


def decks(k, q, v=0, who="dj", crowd=True):
    S.disco(k, q, v)
    S.equaliser(k, q, v, k.w * .05, k.h * .62, k.w * .9, k.h * .42, ("#ff3d8b90", "#3ddc8490", "#ffb02090", "#ffd23f90")[v % 4], 24)
    actor(k, q, A(who, .5, .09, 1.02, "dj", "grin", "dance", n=4, step=False)[1])
    for x in (.13, .87):
        with k.at(k.w * x, k.h * .95, k.h / 270 * 1.15):
            P.speaker(k, q.hop(16))
    k.rect(k.w * .24, k.h * .68, k.w * .52, k.h * .4, "#15151f", 8)
    k.rect(k.w * .24, k.h * .68, k.w * .52, 5, ("#ff3d8b", "#3ddc84", "#ffb020", "#ffd23f")[v % 4])
    for x in (.36, .64):
        with k.at(k.w * x, k.h * .78, k.h * .085, sy=k.h * .04):
            k.circle(0, 0, 1, "#2b2d38")
            k.circle(0, 0, .35, ("#ff3d8b", "#3ddc84")[v % 2])
            a = 12.566 * q.p * 2
            k.line(.4 * math.cos(a), .4 * math.sin(a), .95 * math.cos(a), .95 * math.sin(a), "#ffffff", .07)
    if crowd:
        for i in range(10):
            x = k.w * (.03 + .105 * i)
            y = k.h * (1.0 - .03 * q.hop(8, i * .1))
            k.circle(x, y - k.h * .05, k.h * .05, "#08060f")
            k.rect(x - k.h * .07, y - k.h * .01, k.h * .14, k.h * .2, "#08060f", 12)
            if i % 3 == 0:
                k.limb([(x + 12, y), (x + 20 + 6 * q.sin(4, i * .2), y - k.h * .17)], "#08060f", 10)


def choir(k, q, v=0):
    S.marquee(k, q, v)
    c = ("#7a2fa0", "#2f5fa0", "#c8434e")[v % 3]
    names = ("mama", "baba", "girl", "student", "gogo", "mkhulu", "lady", "friend")
    for i in range(8):
        row = i % 2
        L = {**PEOPLE[names[i]], "top": "dress", "top_c": c, "top_c2": "#ffd23f", "legs": "skirt", "legs_c": c, "hat": None if PEOPLE[names[i]]["hat"] == "fedora" else PEOPLE[names[i]]["hat"], "sleeves": "long"}
        actor(k, q, A(L, .1 + .115 * i, .068, .86 + .08 * row, "heart" if q.saw(4) < .5 else "hold", "laugh", "talk", n=4, ph=.0 if row else .08)[1])
    P.notes(k, k.w * .5, k.h * .5, q.saw(2), "#7a2fa0", 7, k.w * .25, k.h * .4)


def train(k, q, v=0):
    S.veld(k, q, v, off=q.saw(1))
    k.rect(-20, k.h * .86, k.w + 40, 5, "#5a4a3a")
    def sleeper(i, x):
        k.rect(x, k.h * .875, 16, 6, "#6a5140")
    S.scroll(k, q.saw(4), k.w / 14, sleeper)
    c = ("#1f4e9c", "#7a1f2e", "#0f5a4a")[v % 3]
    y = k.h * .86 - 1.5 * q.hop(12)
    for i in range(3):
        x = k.w * (.62 - .33 * i)
        w = k.w * .31
        k.rect(x, y - k.h * .3, w, k.h * .27, c, 8)
        k.rect(x, y - k.h * .32, w, k.h * .045, dark(c, .3), 5)
        k.rect(x, y - k.h * .12, w, 5, "#ffd23f")
        for j in range(4):
            k.rect(x + w * (.07 + .23 * j), y - k.h * .25, w * .17, k.h * .1, "#ffe9b0", 4)
            if (i + j) % 2:
                with k.at(x + w * (.155 + .23 * j), y - k.h * .17, k.h * .03):
                    C.head(k, PEOPLE[("gogo", "student", "girl", "baba", "kid", "lady")[(i * 4 + j) % 6]], "smile")
                k.rect(x + w * (.07 + .23 * j), y - k.h * .145, w * .17, k.h * .025, c)
        for j in (.18, .82):
            with k.at(x + w * j, y - k.h * .01):
                k.circle(0, 0, k.h * .045, "#15151c")
                a = q.saw(10) * 6.28
                k.line(-k.h * .03 * math.cos(a), -k.h * .03 * math.sin(a), k.h * .03 * math.cos(a), k.h * .03 * math.sin(a), "#8a90a0", 4)
    k.rect(k.w * .93, y - k.h * .27, k.w * .12, k.h * .24, dark(c, .15), 10)
    for i in range(6):
        t = q.saw(2, i / 6)
        k.circle(k.w * (.98 - .6 * t), y - k.h * (.34 + .2 * t), k.h * (.03 + .07 * t), fade("#ffffff", .6 * (1 - t)))


def safari(k, q, v=0, who=("elephant", "giraffe"), night=False):
    S.veld(k, q, 3 if night else v, off=q.saw(1), deco=True)
    for i, a in enumerate(who):
        thing(k, q, O(a, .76 - .42 * i, .86 + .02 * i, (1.8, 2.0)[i % 2] * (1.15 if len(who) == 1 else 1), "bob", n=2 + i)[1])


def jeep(k, q, v=0):
    safari(k, q, v, ("elephant",))
    with k.at(k.w * .3, k.h * .97 - 2 * q.hop(8), k.h / 270 * 1.0):
        for i, n in enumerate(("blondie", "uncle", "girl")):
            with k.at(-60 + 48 * i, -96 - 3 * q.hop(4, i * .2), 15):
                C.head(k, PEOPLE[n], ("wow", "grin", "laugh")[i], (1, -.3))
            k.rect(-78 + 48 * i, -84, 36, 30, PEOPLE[n]["top_c"], 8)
        k.rect(-120, -64, 240, 44, "#6b7a4a", 8)
        k.rect(60, -82, 60, 30, "#6b7a4a", 6)
        k.limb([(-110, -64), (-110, -126), (60, -126), (76, -64)], "#3a4428", 5)
        k.rect(-116, -132, 184, 9, "#3a4428", 4)
        for x in (-74, 76):
            k.circle(x, -16, 26, "#16161c")
            k.circle(x, -16, 12, "#c9ced8")
            a = q.saw(8) * 6.28
            k.line(x, -16, x + 11 * math.cos(a), -16 + 11 * math.sin(a), "#5a5f6c", 4)


def balloons(k, q, v=0):
    S.berg(k, q, v, off=0, road=False)
    for i, (x, y, s, c, c2) in enumerate(((.22, .62, .8, "#5ac8fa", "#ffffff"), (.8, .5, .6, "#3ddc84", "#ffe27a"), (.5, .78, 1.25, "#e5484d", "#ffd23f"))):
        with k.at(k.w * x + 12 * q.sin(1, i * .3), k.h * y - 10 * q.sin(1, i * .37 + .2), k.h / 270 * s):
            P.balloon(k, c, c2)
            if i == 2:
                P.flame(k, 0, -22, 16 + 8 * q.hop(6), q.saw(7))
                for j, n in enumerate(("lady", "boy")):
                    with k.at(-7 + 14 * j, -6, 7):
                        C.head(k, PEOPLE[n], "laugh")
                k.rect(-12, 2, 24, 15, "#a86f3c", 4)


def road_trip(k, q, v=0, car="taxi"):
    S.berg(k, q, v, off=q.saw(1))
    with k.at(k.w * .45, k.h * .93 - 2 * q.hop(9), k.h / 270 * .9):
        if car == "taxi":
            P.taxi(k, "#ffffff", ("#e5484d", "#2f9e5a", "#2f6fde")[v % 3], "CAPE", q.saw(9), faces=[lambda k: C.head(k, PEOPLE["girl"], "laugh"), lambda k: C.head(k, PEOPLE["student"], "grin"), lambda k: C.head(k, PEOPLE["gogo"], "smile")])
        else:
            P.bakkie(k, "#2f86c9", q.saw(9))


def stars_night(k, q, v=0):
    k.back("#060820", "#1a2050", "#5a3a6b")
    S.stars(k, 150, .75, 11, q)
    for i in range(60):
        t = i / 60
        k.circle(k.w * t, k.h * (.55 - .4 * t + .06 * math.sin(i * 2.3)), 6 + 8 * abs(math.sin(i * 1.7)), "#b8a4f010")
    t = q.saw(1, .3)
    if t < .25:
        x = k.w * (.9 - 2.4 * t)
        k.line(x, k.h * (.1 + .8 * t), x + 60, k.h * (.1 + .8 * t) - 20, k.hgrad(x, x + 60, "#ffffff", "#ffffff00"), 3)
    S.hills(k, k.h * .74, k.h * .1, "#141634", 9)
    S.floor(k, k.h * .78, "#1a1830")
    with k.at(k.w * .82, k.h * .84, k.h / 270 * 1.1):
        P.windmill(k, q.p * 2)
    for i in range(5):
        P.flame(k, k.w * .4 + i * 9, k.h * .9, 26 + 9 * (i % 2), q.saw(6, i * .3))
    k.glow(k.w * .43, k.h * .84, k.h * .4 * (1 + .04 * q.sin(7)), "#ff9a3c", .55)
    actor(k, q, A("mkhulu", .25, .068, .96, "pointup", "grin", "talk")[1])
    actor(k, q, A("kid", .57, .05, .96, "heart", "wow", "look", gaze=(-1, -1))[1])
    actor(k, q, A("boy", .66, .048, .97, "hold", "wow", "look", gaze=(-1, -1))[1])


def weather(k, q, v=0):
    S.studio(k, q, v, "")
    k.rect(k.w * .34, k.h * .07, k.w * .62, k.h * .66, "#5ab5e6", 8)
    pts = [(.44, .3), (.5, .22), (.6, .24), (.66, .16), (.76, .12), (.86, .16), (.88, .28), (.84, .42), (.76, .54), (.64, .62), (.52, .64), (.48, .54), (.44, .42)]
    k.spline([(k.w * x, k.h * y) for x, y in pts], "#7fc46a")
    k.spline([(k.w * x, k.h * y) for x, y in ((.72, .41), (.77, .39), (.78, .44), (.74, .47))], "#a3d88f")
    spots = ((.5, .56, "sun", "24"), (.56, .36, "sun", "33"), (.74, .24, "storm", "27"), (.82, .38, "rain", "26"), (.66, .5, "cloud", "19"))
    for i, (x, y, kind, t) in enumerate(spots):
        with k.at(k.w * x, k.h * y - 4 * q.sin(2, i * .2), k.h / 270 * .42):
            if kind == "sun":
                P.sun(k, 34, q.p * 2, "happy")
            else:
                P.cloud(k, "#ffffff" if kind != "storm" else "#5a6070", face="angry" if kind == "storm" else "happy")
                if kind == "storm" and q.saw(4) < .4:
                    k.poly([(0, 20), (22, 20), (6, 48), (22, 48), (-10, 90), (0, 54), (-14, 54)], "#ffd23f")
                if kind == "rain":
                    for j in range(4):
                        tt = q.saw(6, j * .25)
                        k.line(-30 + j * 20, 28 + tt * 26, -34 + j * 20, 40 + tt * 26, "#2f6fde", 5)
        k.text(t + "°", k.w * x + 16, k.h * y + 22, "anton", k.h * .07, "#ffffff", "c", "#1a3a5a", 4)
    actor(k, q, A("anchor", .2, .098, 1.12, "point", "grin", "talk")[1])


def newsdesk(k, q, v=0, who="anchorman", title="NEWS", pic=None):
    S.studio(k, q, v, title)
    if pic:
        with k.clip_rect(k.w * .56, k.h * .1, k.w * .38, k.h * .4, 6):
            with k.at(k.w * .56, k.h * .1, .4):
                from .draw import Ink
                pic(Ink(k.c, k.w * .95, k.h), q)
    actor(k, q, A(who, .3, .108, 1.16, "desk", "smile", "talk")[1])
    k.path(f"M {-20},{k.h * .8} L {k.w * .62},{k.h * .8} L {k.w * .56},{k.h + 20} L {-20},{k.h + 20} Z", "#e9edf4")
    k.path(f"M {-20},{k.h * .78} L {k.w * .64},{k.h * .78} L {k.w * .62},{k.h * .82} L {-20},{k.h * .82} Z", "#c8434e")


def quiz(k, q, v=0):
    k.back("#1a0b4a", "#5a1a8a")
    effect(k, q, F("rays", c="#ffffff18", y=.3)[1])
    for i, (x, n, c) in enumerate(((.2, "aunty", "#ff5d73"), (.5, "student", "#ffd23f"), (.8, "mkhulu", "#3ddc84"))):
        win = int(q.p * 6) % 3 == i
        actor(k, q, A(n, x, .082, 1.02, "up" if win else "think", "laugh" if win else "think", "shake" if win else "look")[1])
        k.rect(k.w * (x - .12), k.h * .66, k.w * .24, k.h * .4, c, 8)
        k.rect(k.w * (x - .08), k.h * .7, k.w * .16, k.h * .12, "#15151f", 5)
        k.text(str((120, 90, 310)[i] + (10 if win else 0)), k.w * x, k.h * .8, "anton", k.h * .1, "#ffffff" if not win else "#ffe27a", "c")
        if win:
            k.glow(k.w * x, k.h * .3, k.h * .4, c, .4)
    k.rect(k.w * .16, k.h * .04, k.w * .68, k.h * .14, "#ffffff", 12)
    k.text("HOW MANY IN A 4-4 TAXI?", k.w * .5, k.h * .14, "bebas", k.h * .1, "#3a0f6b", "c")


def chart(k, q, v=0):
    S.studio(k, q, 2, "")
    k.rect(k.w * .38, k.h * .08, k.w * .58, k.h * .62, "#0a2f2a", 8)
    for i in range(5):
        k.line(k.w * .41, k.h * (.16 + .11 * i), k.w * .93, k.h * (.16 + .11 * i), "#ffffff26", 1.5)
    vals = (.3, .42, .38, .55, .5, .68, .9)
    g = ease(min(1, q.tri(1) * 1.7))
    for i, a in enumerate(vals):
        h = k.h * .48 * a * g
        k.rect(k.w * (.43 + .073 * i), k.h * .64 - h, k.w * .045, h, "#3ddc84" if i < 6 else "#ff5d73", 3)
        with k.at(k.w * (.4525 + .073 * i), k.h * .64 - h, k.h / 270 * .3):
            P.plate(k, "kota" if i % 2 else "vetkoek")
    k.text("PRICE OF A KOTA", k.w * .67, k.h * .15, "bebas", k.h * .075, "#ffe27a", "c")
    actor(k, q, A("bosslady", .2, .1, 1.12, "point", "wow", "talk")[1])


def rocket(k, q, v=0):
    S.toyland(k, q, 5)
    for x, y, r, c in ((.14, .3, .09, "#ffb020"), (.86, .22, .07, "#5ac8fa"), (.8, .66, .05, "#ff8ac4")):
        k.circle(k.w * x, k.h * y, k.h * r, c)
        k.oval(k.w * x, k.h * y, k.h * r * 1.7, k.h * r * .35, light(c, .4), rot=-16, stroke=4)
    with k.at(k.w * .5 + 16 * q.sin(2), k.h * (.62 - .06 * q.sin(1)), k.h / 270 * 1.25, rot=8 * q.sin(2, .2)):
        for i in range(3):
            P.flame(k, -14 + i * 14, 30, -(40 + 20 * q.hop(9, i * .3)), q.saw(8))
        for sx in (-1, 1):
            k.poly([(sx * 24, -14), (sx * 50, 30), (sx * 22, 22)], "#e5484d")
        k.spline([(-28, 26), (-32, -30), (0, -106), (32, -30), (28, 26)], "#f6f8fc")
        k.spline([(-18, -70), (0, -106), (18, -70), (0, -64)], "#e5484d")
        k.circle(0, -28, 25, "#2f86c9")
        k.circle(0, -28, 20, "#bfe6ff")
        with k.at(0, -24, 14):
            C.head(k, PEOPLE["kid"], "laugh")


def counting(k, q, v=0, animal="penguin", label="1 2 3 4 5", n=5):
    S.toyland(k, q, v)
    step = int(q.p * n)
    for i in range(n):
        up = 1 if i == step else 0
        t = (q.p * n) % 1
        thing(k, q, O(animal, .14 + .18 * i, .9 - .12 * up * math.sin(math.pi * t), 1.15)[1])
        c = ("#ff5d73", "#ffb020", "#3dbf6a", "#2f86c9", "#8a5cc4")[i % 5]
        with k.at(k.w * (.14 + .18 * i), k.h * .34, 1 + .35 * up * math.sin(math.pi * t), rot=6 * q.sin(2, i * .2)):
            k.text(label.split()[i], 0, 0, "lilita", k.h * .26, c, "c", "#ffffff", k.h * .045)


def animals_band(k, q, v=0):
    S.toyland(k, q, v)
    thing(k, q, O("elephant", .76, .94, 1.7, "bob", n=4)[1])
    thing(k, q, O("meerkat", .2, .94, 1.9, "hop", n=4)[1])
    thing(k, q, O("penguin", .42, .95, 1.6, "hop", n=4)[1])
    P.notes(k, k.w * .5, k.h * .55, q.saw(2), "#8a2f7a", 8, k.w * .3, k.h * .45)
    with k.at(k.w * .2, k.h * .95, k.h / 270):
        k.rect(-30, -34, 60, 34, "#e5484d", 6)
        k.oval(0, -34, 30, 8, "#fff3d6")
        for i in range(6):
            k.line(-28 + i * 11, -32, -24 + i * 11, -2, "#ffd23f", 2)


SCENES = {f.__name__: f for f in (pot_show, topview, decks, choir, train, safari, jeep, balloons, road_trip, stars_night, weather, newsdesk, quiz, chart, rocket, counting, animals_band)}
SCENES["play"] = play


def V(slug, name, line, artist, status, secs, staging, sound):
    return dict(slug=slug, name=name, video_name=line, artist=artist, status=status, secs=secs, staging=staging, sound=sound)


CATEGORIES = [
    ("drama", "Drama", [
        V("the-blue-gate", "The Blue Gate", "The Blue Gate, episode 1: somebody is outside", "The Blue Gate", "series", 7, dict(set="city", v=1, parts=[
            A("groom", .3, .092, 1.02, "fold", "angry", "bob", gaze=(1, 0)), A("lady", .7, .092, 1.02, "hips", "sad", "talk", gaze=(-1, 0)), B("You kept the land papers?", .48, .3, .3, (.1, .5), size=18), B("I kept you.", .5, .3, .22, (.56, .92))]), "drama"),
        V("the-other-brother", "The Other Brother", "The Other Brother: lunch with a stranger", "The Blue Gate", "series", 6, dict(set="lounge", v=4, night=True, parts=[
            A("baba", .26, .09, 1.04, "point", "angry", "talk", gaze=(1, 0)), A({**PEOPLE["baba"], "beard": None, "top_c": "#c8434e", "glasses": None}, .74, .09, 1.04, "shrug", "oh", "look", gaze=(-1, 0)), A("gogo", .5, .078, 1.0, "head", "wow", "shake")]), "drama"),
        V("ward-eleven", "Ward Eleven", "Ward Eleven: the night nurse knows", "Ward Eleven", "series", 6, dict(set="hospital", v=0, parts=[
            A("nurse", .36, .09, 1.02, "hold", "wow", "walk", n=6, item="board"), A("doctor", .68, .092, 1.04, "point", "flat", "talk", gaze=(-1, 0)), F("dark", c="#0a1a3040"), B("Bed six is empty.", .52, .28, .22, (.15, .7))]), "heart"),
        V("rain-on-fifth", "Rain on Fifth Avenue", "Rain on Fifth Avenue: one umbrella, two exes", "Rain on Fifth", "series", 7, dict(set="rainy", v=3, parts=[
            A("groom", .4, .09, 1.04, "umbrella", "love", "bob", item="umbrella", flip=True), A("girl", .62, .09, 1.04, "heart", "sad", "look", gaze=(-1, 0)), F("rain"), F("hearts", x=.5, y=.5)]), "rain"),
        V("taxi-king-s-daughter", "The Taxi King's Daughter", "The Taxi King's Daughter: she wants the keys", "Rank and File", "series", 6, dict(set="rank", v=1, parts=[
            A({**PEOPLE["driver"], "top": "suit", "top_c": "#3a1238", "top_c2": "#ffd23f", "hat": "fedora", "hat_c": "#3a1238"}, .3, .095, 1.04, "fold", "angry", "bob"), A("lady", .62, .09, 1.04, "give", "smirk", "talk", item="phone"), B("Route 9 is mine now.", .47, .28, .22, (.12, .7))]), "taxi"),
        V("wedding-objection", "Speak Now", "Speak Now: the pastor should not have asked", "Rank and File", "series", 6, dict(set="marquee", v=1, parts=[
            A("pastor", .5, .078, .92, "up", "wow", "shake"), A("groom", .3, .086, 1.02, "head", "wow", "look"), A("bride", .7, .086, 1.02, "hips", "angry", "bob"), A("mama", .92, .08, 1.05, "pointup", "laugh", "talk"), F("burst", x=.2, y=.24, text="I OBJECT!", at=(.2, .7))]), "wedding"),
    ]),
    ("kitchen", "Kitchen", [
        V("pap-without-lumps", "Pap without Lumps", "Pap without lumps: keep stirring, keep smiling", "Chef Mpho's Pot", "lifestyle", 6, dict(scene="pot_show", v=0, dish="pap", say="Never stop stirring!"), "kitchen"),
        V("bunny-chow-basics", "Bunny Chow Basics", "Bunny chow basics: hollow the loaf, guard the lid", "Chef Mpho's Pot", "lifestyle", 6, dict(scene="pot_show", v=1, chef="aunty", dish="bunny", pot="#e08a2e", say="Quarter mutton, full heart."), "tabla"),
        V("vetkoek-sunday", "Vetkoek Sunday", "Vetkoek Sunday: golden, round and gone by ten", "Gogo's Table", "family", 6, dict(scene="pot_show", v=2, chef="gogo", dish="vetkoek", pot="#2f7f86", flames=True, say="One for me, one for the pot."), "kwela"),
        V("chakalaka-in-a-hurry", "Chakalaka in a Hurry", "Chakalaka in a hurry: chop first, talk later", "Five-Minute Mzansi", "lifestyle", 6, dict(scene="topview", v=1, items=(("o", "#e2483a"), ("-", "#f28a2e"), ("s", "#3dbf6a"), ("l", "#f2c230"))), "drums"),
        V("potjie-patience", "Potjie Patience", "Potjie patience: do not lift that lid", "Fire Friends", "lifestyle", 7, dict(set="garden", v=1, parts=[
            O("potjie", .52, .95, 1.4), F("smoke", x=.52, y=.4), A("braaiguy", .2, .088, 1.02, "fold", "smirk", "bob"), A("intern", .84, .086, 1.02, "give", "think", "look"), B("Don't you dare.", .36, .28, .28, (.15, .8))]), "fire"),
        V("malva-midnight", "Malva at Midnight", "Malva at midnight: pudding against the dark", "Gogo's Table", "family", 6, dict(scene="topview", v=4, items=(("s", "#b5652a"), ("o", "#fbe6a6"), ("l", "#d98a4a"))), "romance"),
    ]),
    ("music", "Music", [
        V("log-drum-live", "Log Drum Live", "Log Drum Live: DJ Skhumbuzo shakes the windows", "DJ Skhumbuzo", "live", 7, dict(scene="decks", v=0), "amapiano"),
        V("maskandi-morning", "Maskandi Morning", "Maskandi Morning: six strings and a goat", "Mfana weGoli", "live", 6, dict(set="veld", v=1, parts=[
            A("guitarist", .42, .092, 1.0, {"l": (50, 80), "r": (24, -60)}, "grin", "strum", item="guitar"), O("goat", .76, .94, 1.7, "bob"), F("notes", x=.42, y=.5, c="#7a3f1a")]), "maskandi"),
        V("choir-of-block-b", "The Choir of Block B", "The Choir of Block B, recorded in one take", "Block B Choir", "family", 7, dict(scene="choir", v=0), "choir"),
        V("golden-hour", "Golden Hour", "Golden Hour: Zinhle Sunday and her band", "Zinhle Sunday", "live", 6, dict(set="stage", v=5, sign="ZINHLE", parts=[
            A("singer", .5, .092, .92, "mic", "laugh", "talk", item="mic"), A("guitarist", .2, .072, .9, {"l": (50, 80), "r": (24, -60)}, "smile", "strum", item="guitar"), A("cool", .8, .072, .9, "hold", "smirk", "strum", item="trumpet"), F("notes", x=.5, y=.5), F("heads")]), "jazz"),
        V("gqom-kitchen", "Gqom in the Garage", "Gqom in the Garage: the neighbours are dancing too", "DJ Skhumbuzo", "live", 6, dict(scene="decks", v=1, who="cool"), "gqom"),
        V("pantsula-corner", "Pantsula Corner", "Pantsula Corner: white soles, fast knees", "Corner Crew", "live", 6, dict(set="street", v=1, parts=[
            A({**PEOPLE["friend"], "hat": "bucket", "hat_c": "#e5484d"}, .24, .076, .96, "up", "grin", "dance", n=7), A({**PEOPLE["cool"], "hat": "bucket", "hat_c": "#ffd23f"}, .5, .086, 1.0, "wide", "smirk", "dance", n=7), A({**PEOPLE["lady"], "hat": "bucket", "hat_c": "#3ddc84"}, .76, .076, .96, "up", "laugh", "dance", n=7), F("notes", x=.5, y=.5)]), "kwaito"),
    ]),
    ("travel", "Travel", [
        V("flat-mountain-road", "The Flat-topped Mountain", "Road to the flat-topped mountain, with snacks", "Windows Down", "lifestyle", 6, dict(scene="road_trip", v=0), "guitar"),
        V("balloons-over-the-berg", "Balloons over the Berg", "Balloons over the Berg: up before the sun", "Windows Down", "lifestyle", 7, dict(scene="balloons", v=1), "guitar"),
        V("karoo-by-train", "The Karoo by Train", "The Karoo by train: tea, windmills, tea", "Slow Miles", "lifestyle", 7, dict(scene="train", v=0), "train"),
        V("elephants-at-noon", "Elephants at Noon", "Elephants at noon: keep your arms inside", "Slow Miles", "family", 6, dict(scene="jeep", v=1), "marimba"),
        V("durban-without-shoes", "Barefoot by the Bay", "Barefoot by the bay: sand in everything", "Windows Down", "family", 6, dict(set="beach", v=1, parts=[
            A("blondie", .34, .082, 1.0, "up", "laugh", "cheer"), A({**PEOPLE["student"], "legs": "shorts", "top": "tee", "top_c": "#3ddc84"}, .6, .082, 1.0, "give", "grin", "dance", item="icecream", step=False), O("dog", .84, .96, 1.3, "hop"), O("ball", .48, .5, 1.4, "hop")]), "beach"),
        V("stars-of-the-karoo", "Stars by the Fire", "Stars by the fire: grandfather names them all", "Slow Miles", "family", 7, dict(scene="stars_night", v=0), "romance"),
    ]),
    ("kids", "Kids", [
        V("mimi-the-meerkat", "Mimi the Meerkat", "Mimi the Meerkat looks left, looks right", "Mimi the Meerkat", "family", 6, dict(set="toyland", v=0, parts=[
            O("meerkat", .26, .98, 2.4, "hop"), O("meerkat", .52, .98, 1.7, "bob", c="#b5834a"), O("meerkat", .74, .98, 2.0, "hop", c="#d9b072"), B("Hello, sun!", .36, .3, .28, (.1, .6))]), "kids"),
        V("five-little-penguins", "Five Little Penguins", "Five little penguins count to five", "Count with Us", "family", 6, dict(scene="counting", v=3, animal="penguin"), "kids"),
        V("rocket-to-the-moon", "Rocket to the Moon", "Rocket to the moon: first stop, grandma's", "Little Launch", "family", 6, dict(scene="rocket", v=0), "space"),
        V("a-b-c-chicken", "A B C Chicken", "A B C Chicken: letters that cluck", "Count with Us", "family", 6, dict(scene="counting", v=2, animal="chicken", label="A B C D E"), "kids"),
        V("elephant-orchestra", "The Elephant Orchestra", "The elephant orchestra plays a loud one", "Mimi the Meerkat", "live", 6, dict(scene="animals_band", v=1), "marimba"),
        V("giraffe-in-the-mirror", "Too Tall Thandi", "Too Tall Thandi does not fit in the picture", "Little Launch", "family", 6, dict(set="toyland", v=4, parts=[
            O("giraffe", .36, 1.0, 1.95, "bob"), O("monkey", .66, .97, 1.5, "hop"), O("elephant", .88, .96, .9, "bob"), B("Say cheese!", .7, .42, .26, (.1, .6))]), "kids"),
    ]),
    ("talk", "News & Talk", [
        V("mzansi-tonight", "Mzansi Tonight", "Mzansi Tonight: good news first, for once", "Mzansi Tonight", "live", 6, dict(scene="newsdesk", v=0, title="", pic=lambda k, q: play(k, q, set="garden", v=0, parts=[A("kid", .5, .1, 1.1, "up", "laugh", "cheer"), O("dog", .8, .95, 1.6, "hop")])), "news"),
        V("weather-with-wanda", "Weather with Wanda", "Weather with Wanda: four seasons by lunch", "Mzansi Tonight", "live", 6, dict(scene="weather", v=0), "news"),
        V("price-of-a-kota", "The Price of a Kota", "The price of a kota: our economist is hungry", "Street Economics", "lifestyle", 6, dict(scene="chart", v=0), "news"),
        V("couch-commanders", "Couch Commanders", "Couch Commanders: two guests, one remote", "Couch Commanders", "live", 6, dict(set="lounge", v=2, parts=[
            A("singer", .34, .072, .95, "hold", "laugh", "laugh", sit=True), A("anchorman", .62, .074, .95, "give", "grin", "talk", sit=True, item="remote"), B("You binge, you cry, you buy", .48, .2, .44, (.1, .6))]), "jazz"),
        V("who-knows-kasi", "Who Knows Kasi?", "Who Knows Kasi? The quiz with the loudest buzzer", "Who Knows Kasi?", "live", 6, dict(scene="quiz", v=0), "quiz"),
        V("pothole-patrol", "Pothole Patrol", "Pothole Patrol: our reporter went in", "Mzansi Tonight", "live", 6, dict(set="street", v=0, parts=[
            F("draw", f=lambda k, q: pothole(k, q)), A({**PEOPLE["anchor"], "hat": "helmet", "hat_c": "#f2c230"}, .5, .09, 1.28, "mic", "wow", "talk", item="mic", float=True), F("draw", f=lambda k, q: pothole_front(k, q)), O("taxi", .3, .82, .45, "drive"), B("I can hear water!", .66, .4, .3, (.1, .6))]), "news"),
    ]),
]


def pothole(k, q):
    k.oval(k.w * .5, k.h * .9, k.w * .2, k.h * .09, "#1a1a22")


def pothole_front(k, q):
    k.rect(k.w * .28, k.h * .91, k.w * .44, k.h * .2, "#5a5d68")
    k.oval(k.w * .5, k.h * .905, k.w * .2, k.h * .03, "#24242c")
    for x in (.2, .8):
        k.poly([(k.w * x - 16, k.h * .95), (k.w * x + 16, k.h * .95), (k.w * x, k.h * .78)], "#ff7a1f")
        k.poly([(k.w * x - 9, k.h * .88), (k.w * x + 9, k.h * .88), (k.w * x + 6, k.h * .845), (k.w * x - 6, k.h * .845)], "#ffffff")


VIDEOS = [(v["slug"], v["staging"]) for _, _, vs in CATEGORIES for v in vs]

BANNERS = [("opening-night", "Opening night, every night", "OPENING NIGHT,|EVERY NIGHT", "log-drum-live", dict(scene="decks", v=2, who="singer")),
           ("sunday-table", "The whole family at the table", "THE WHOLE FAMILY|AT THE TABLE", "vetkoek-sunday", dict(set="garden", v=1, parts=[
               *[A(n, .33 + .085 * i, .07, .9, p, e) for i, (n, p, e) in enumerate((("gogo", "up", "laugh"), ("baba", "give", "grin"), ("mama", "heart", "love"), ("mkhulu", "hold", "smile"), ("student", "wave", "grin"), ("kid", "up", "laugh")))],
               F("draw", f=lambda k, q: table(k, q))])),
           ("slow-miles", "See the country, slowly", "SEE THE COUNTRY,|SLOWLY", "karoo-by-train", dict(scene="train", v=2))]


def table(k, q):
    k.rect(k.w * .26, k.h * .76, k.w * .6, k.h * .06, "#c98f5a", 4)
    k.rect(k.w * .28, k.h * .8, k.w * .56, k.h * .3, "#e5484d")
    for i in range(12):
        for j in range(4):
            if (i + j) % 2:
                k.rect(k.w * (.28 + .0467 * i), k.h * (.8 + .06 * j), k.w * .0467, k.h * .06, "#fff3e6")
    for i, d in enumerate(("pap", "bunny", "salad", "vetkoek", "kota")):
        with k.at(k.w * (.33 + .115 * i), k.h * .79, k.h / 270 * .5):
            P.plate(k, d)
