"""Raceday TV: six categories of six programmes, on made-up courses with made-up horses."""
import math

from . import cast as C, horses as H, props as P, sets as S
from .cast import look
from .draw import dark, ease, fade, light, mix
from .play import A, B, F, O, PEOPLE, actor, bubble, effect, play

SILKS = [("#e5484d", "#ffffff"), ("#2f6fde", "#ffd23f"), ("#3dbf6a", "#15151c"), ("#ffb020", "#7a2fa0"), ("#ff8ac4", "#1f2f6a"),
         ("#15151c", "#ffd23f"), ("#5ac8fa", "#e5484d"), ("#7a2fa0", "#3ddc84"), ("#ffffff", "#c8233f")]
PATTERNS = ("star", "hoops", "spots", "cross", "chevron", "diamond")
COATS = tuple(H.COATS)


def jockey(i, **kw):
    a, b = SILKS[i % len(SILKS)]
    return look(top="silks", top_c=a, top_c2=b, silks=PATTERNS[i % 6], legs_c="#f8f7f2", shoes_c="#16131a", hat="helmet", hat_c=b if b != "#ffffff" else a, sleeves="long", **kw)


THEMBI = jockey(1, skin="caramel", hair="braids", lash=True, jaw=.48)
OLDPIET = look(skin="fair", hair="balding", hair_c="#d8d0c4", beard="tache", hat="fedora", hat_c="#6a5a3a", top="vest", top_c="#5a6a3f", top_c2="#c8a24a", legs_c="#6a5a44", age=1, build=1.15)
MRSNAIDOO = look(skin="honey", hair="bob", top="suit", top_c="#0f5a4a", top_c2="#f2c230", legs="skirt", legs_c="#0c483b", lash=True, ear="stud", hat="fedora", hat_c="#0f5a4a")
GROOM = look(skin="deep", hair="fade", hat="cap", hat_c="#2f6fde", top="shirt", top_c="#8fb4d8", legs_c="#4a4438", beard="chin")
CALLER = look(skin="cocoa", hair="shaved", glasses="square", top="suit", top_c="#7a1f2e", top_c2="#f2c230", hat="headset", hat_c="#15151c", legs_c="#3a1018")


def race(k, q, v=0, n=4, lead=0, zoom=1.0, first=0, speed=2, rail=True, finish=False):
    """The field gallops past the stand; the lead changes and comes back."""
    S.turf(k, q, v, off=q.saw(speed // 2 or 1))
    order = []
    for i in range(n):
        lane = i / max(1, n - 1)
        order.append((lane, i))
    for lane, i in order:
        base = .5 + .17 * math.sin(2 * math.pi * (i / n + q.p)) * (1 if i != lead else .35) + (.16 if i == lead else 0) - .03 * i
        y = k.h * (.68 + .2 * lane)
        s = k.h / 270 * (.74 + .22 * lane) * zoom
        x = k.w * base
        k.oval(x, y + 2, 80 * s, 6 * s, "#00000030")
        with k.at(x, y, s):
            H.gallop(k, q.saw(10, i * .27), COATS[(i + first) % 6], SILKS[(i * 2 + first) % 9], PATTERNS[(i + first) % 6], number=i + 1 + first % 3,
                     rider=("brown", "cocoa", "honey", "peach")[(i + first) % 4])
    if finish:
        t = q.saw(1, .45)
        x = k.w * (1.5 - 2.0 * t)
        k.rect(x - 4, k.h * .2, 8, k.h * .72, "#ffffff")
        k.circle(x, k.h * .2, 22, "#e5484d")
        k.circle(x, k.h * .2, 15, "#ffffff")
        k.circle(x, k.h * .2, 8, "#e5484d")
    if rail:
        S.near_rail(k, q.saw(speed * 2))


def duel(k, q, v=0, first=0, word=""):
    """Two horses, neck and neck, close up."""
    S.turf(k, q, v, off=q.saw(1), crowd_on=True)
    for i, (x, y, s) in enumerate(((.5 + .05 * q.sin(1), .8, 1.35), (.46 - .05 * q.sin(1), .97, 1.62))):
        with k.at(k.w * x, k.h * y, k.h / 270 * s):
            H.gallop(k, q.saw(10, i * .4), COATS[(first + i * 2) % 6], SILKS[(first + i * 3) % 9], PATTERNS[(first + i) % 6], number=(first + i * 4) % 9 + 1, rider=("cocoa", "honey")[i])
    effect(k, q, F("lines")[1])
    if word and not k.quiet:
        with k.at(k.w * .27, k.h * .2, 1 + .05 * q.sin(4), rot=-3):
            k.text(word, 0, 0, "bangers", k.h * .13, "#ffd23f", "c", "#15251a", k.h * .03)


def gates(k, q, v=0, first=0):
    """The stalls open and six of them jump out together."""
    p = q.p
    S.turf(k, q, v, off=0, crowd_on=False)
    go = ease((p - .34) / .5) if p < .93 else 0
    openness = ease((p - .28) / .07) * (1 - ease((p - .93) / .05))
    for i in range(5):
        y = k.h * (.62 + .085 * i)
        s = k.h / 270 * (.6 + .08 * i)
        x = k.w * (.27 - .02 * i) + k.w * 1.15 * go * (1 + .1 * ((i * 3) % 5) / 5)
        with k.at(x, y, s):
            if go > .01:
                H.gallop(k, q.saw(14, i * .31), COATS[(i + first) % 6], SILKS[(i + first) % 9], PATTERNS[i % 6], number=i + 1)
            else:
                H.gallop(k, .42 + .02 * q.sin(6, i * .2), COATS[(i + first) % 6], SILKS[(i + first) % 9], PATTERNS[i % 6], number=i + 1)
        gx = k.w * (.42 - .02 * i)
        with k.at(gx, y, s):
            k.rect(-14, -150, 12, 152, "#2f7f5a", 3)
            w = 46 * (1 - openness) + 6
            k.rect(-4, -96, w, 76, "#e9eef4", 4)
            k.rect(-4, -96, w, 14, "#f2c230", 3)
            k.text(str(i + 1), -8, -130, "anton", 20, "#ffffff", "c")
    k.rect(k.w * .02, k.h * .12, k.w * .42, k.h * .09, "#2f7f5a", 5)
    k.text("BLUEGUM PARK", k.w * .23, k.h * .19, "bebas", k.h * .08, "#ffffff", "c")
    if .28 < p < .5:
        with k.at(k.w * .74, k.h * .34, 1 + .1 * q.sin(12), rot=-6):
            P.burst(k, "THEY'RE OFF!", k.h * .2, "#f2c230", "#14402a")


def trackmap(k, q, v=0, name="KESTREL DOWNS", n=6):
    """The course from above: six dots run one lap."""
    k.back(*S.pick(v, ("#1f5a3a", "#0f3a28"), ("#234a7a", "#0f2a4a"), ("#6a4a1f", "#3a2810")))
    cx, cy, rx, ry = k.w * .42, k.h * .44, k.w * .33, k.h * .29
    for r, c in ((1.0, "#d9b06a"), (.98, "#c99d54")):
        k.oval(cx, cy, rx * r, ry * r, c, stroke=k.h * .12)
    k.oval(cx, cy, rx + k.h * .065, ry + k.h * .065, "#ffffff", stroke=2.5)
    k.oval(cx, cy, rx - k.h * .065, ry - k.h * .065, "#ffffff", stroke=2.5)
    k.oval(cx, cy, rx - k.h * .09, ry - k.h * .09, "#3f8f4a")
    k.oval(cx - rx * .2, cy, rx * .28, ry * .26, "#5ac8fa")
    for i in range(7):
        k.circle(cx + rx * (.2 + .07 * i), cy + ry * .25 * math.sin(i * 2.2), 8, "#2f7a44")
    k.rect(cx - 3, cy + ry - k.h * .07, 6, k.h * .14, "#ffffff")
    k.rect(cx - 3, cy + ry - k.h * .07, 6, k.h * .035, "#e5484d")
    prog = []
    for i in range(n):
        a = q.p + .05 * math.sin(2 * math.pi * (q.p * (1 + i % 2) + i / n)) - .028 * i
        prog.append((a, i))
        t = math.pi / 2 + 2 * math.pi * a
        r = 1 + (i % 3 - 1) * .05
        x, y = cx + rx * r * math.cos(t), cy + ry * r * math.sin(t)
        k.circle(x, y, 10, SILKS[i][1])
        k.circle(x, y, 8.4, SILKS[i][0])
        k.text(str(i + 1), x, y + 4.5, "anton", 11, "#ffffff" if SILKS[i][0] != "#ffffff" else "#15151c", "c")
    k.rect(k.w * .815, k.h * .08, k.w * .17, k.h * .66, "#00000060", 6)
    for row, (a, i) in enumerate(sorted(prog, reverse=True)):
        y = k.h * (.12 + .103 * row)
        k.rect(k.w * .825, y, k.w * .15, k.h * .085, SILKS[i][0], 4)
        k.text(f"{row + 1}", k.w * .84, y + k.h * .065, "bebas", k.h * .07, "#ffffff" if SILKS[i][0] != "#ffffff" else "#15151c", "l", "#00000050", 2)
        k.text(f"No. {i + 1}", k.w * .968, y + k.h * .065, "bebas", k.h * .065, "#ffffff" if SILKS[i][0] != "#ffffff" else "#15151c", "r", "#00000050", 2)
    k.text(name, cx, cy + k.h * .03, "bebas", k.h * .085, "#ffffff", "c", "#00000060", 4)


def form(k, q, v=0, horse="MARULA BELLE", coat="bay", rows=(("SPEED", .82), ("STAYS", .64), ("DRAW", .9), ("MOOD", .4)), silks=0):
    """A card on one runner: portrait, silks and bars that fill."""
    a = S.pick(v, "#0f3a28", "#1f2f5a", "#4a1f2a", "#3a3014", "#123f4a", "#3a1f4a")
    k.back(light(a, .12), dark(a, .2))
    for i in range(10):
        x = k.w * i / 9 - (q.p * k.w / 9)
        k.poly([(x, 0), (x + 18, 0), (x - 60, k.h), (x - 78, k.h)], fade(light(a, .5), .1))
    with k.clip_rect(k.w * .04, k.h * .07, k.w * .36, k.h * .67, 12):
        k.rect(0, 0, k.w, k.h, k.vgrad(0, k.h * .8, "#8fd0f0", "#f2f6d8"))
        k.rect(0, k.h * .55, k.w, k.h, "#4a9e4f")
        for x in (.1, .34):
            with k.at(k.w * x, k.h * .56, k.h / 400):
                P.tree(k)
        with k.at(k.w * .22, k.h * .8 + 2 * q.sin(2), k.h / 270 * 1.02):
            H.face(k, coat, q.sin(6), q.sin(2), 1 if q.saw(1) > .97 else 0, rosette=SILKS[silks][0])
    k.text(horse, k.w * .44, k.h * .19, "anton", min(k.h * .13, k.w * .5 / max(1, len(horse)) * 2.1), "#f2c230")
    g = ease(min(1, q.tri(1) * 2.2))
    for i, (label, a_) in enumerate(rows):
        y = k.h * (.27 + .115 * i)
        k.text(label, k.w * .44, y + k.h * .062, "bebas", k.h * .075, "#ffffff")
        k.rect(k.w * .58, y, k.w * .36, k.h * .07, "#00000050", k.h * .035)
        w = k.w * .36 * a_ * min(1, g * (1 + .15 * i))
        k.rect(k.w * .58, y, max(w, k.h * .07), k.h * .07, ("#5ee08a", "#5ac8fa", "#f2c230", "#ff8a5a")[i % 4], k.h * .035)


def parade(k, q, v=0, coat="bay", lead="groom", rug="#2f4fa0", number=3, say=""):
    """Round the ring before the off, groom at the head."""
    S.paddock(k, q, v)
    with k.at(k.w * (.44 + .05 * q.sin(1)), k.h * .96, k.h / 270 * 1.36):
        k.oval(0, 2, 80, 7, "#00000030")
        H.standing(k, coat, 2.5 * q.sin(3), q.sin(2), rug=rug, number=number, step=q.saw(5))
    actor(k, q, A(GROOM, .8 + .05 * q.sin(1), .076, .97, {"l": (60, 80), "r": (14, 6)}, "smile", "walk", n=5)[1])
    if say:
        bubble(k, q, B(say, .22, .34, .28, (.1, .6), tail=1)[1])


def stall(k, q, v=0, coats=("bay",), who=None, say="", feed=True):
    """A stable door, with its owner looking out."""
    S.stable(k, q, v)
    n = len(coats)
    for i, c in enumerate(coats):
        x = k.w * ((i + .5) / n if n > 1 else .4)
        w = min(k.w * .38, k.w / n * .8)
        k.rect(x - w / 2, k.h * .15, w, k.h * .7, "#1c1418", 6)
        with k.at(x + 3 * q.sin(1, i * .3), k.h * .66 + 4 * q.sin(2, i * .25), k.h / 270 * (1.02 if n < 3 else .85)):
            H.face(k, c, q.sin(8, i * .3), q.sin(3, i * .2), 1 if q.saw(2, i * .37) > .96 else 0, rosette=SILKS[i][0] if i == 1 else None)
        k.rect(x - w / 2, k.h * .62, w, k.h * .26, "#a8743f", 4)
        k.rect(x - w / 2, k.h * .62, w, k.h * .03, "#7a5028")
        k.line(x - w / 2 + 6, k.h * .86, x + w / 2 - 6, k.h * .66, "#7a5028", 8)
        k.rect(x - w / 2 - 8, k.h * .13, 8, k.h * .74, "#5a3a22")
        k.rect(x + w / 2, k.h * .13, 8, k.h * .74, "#5a3a22")
    if who:
        actor(k, q, A(who, .82, .088, 1.03, "give" if feed else "fold", "grin", "talk", flip=True)[1])
        if feed:
            with k.at(k.w * .66, k.h * .56, k.h / 270):
                k.poly([(0, 0), (30, -8), (28, 6)], "#f28a2e")
                for j in (-1, 0, 1):
                    k.line(29, -1, 42, -6 + j * 7, "#3dbf6a", 4)
    if say:
        bubble(k, q, B(say, .62, .3, .34, (.1, .6))[1])


def dawn(k, q, v=0, n=2, trainer=True):
    """Morning work: silhouettes gallop along the ridge under a rising sun."""
    a = S.pick(v, ("#2a2f6a", "#e0738a", "#ffd9a0"), ("#1f4a6a", "#7fc4b8", "#fff3c8"), ("#5a1f4a", "#f07a4a", "#ffe27a"))
    k.back(*a)
    k.circle(k.w * .62, k.h * .55, k.h * .2, "#fff3c8")
    k.glow(k.w * .62, k.h * .55, k.h * .6, "#fff3c8", .5)
    S.hills(k, k.h * .6, k.h * .14, mix(a[0], a[1], .6), 7, q.saw(1))
    S.hills(k, k.h * .72, k.h * .1, mix(a[0], a[1], .25), 12, q.saw(2))
    k.rect(-20, k.h * .78, k.w + 40, k.h, dark(a[0], .45))
    for i in range(8):
        k.oval((k.w * .25 * i - q.p * k.w) % (k.w * 1.3) - 40, k.h * .77, 70, 8, "#ffffff20")
    for i in range(n):
        with k.at(k.w * (.34 + .3 * i + .04 * q.sin(1, i * .4)), k.h * .83, k.h / 270 * (1.0 + .12 * i)):
            H.gallop(k, q.saw(10, i * .37), ("dark", "black", "bay")[(i + v) % 3], SILKS[(i + v) % 9], PATTERNS[(i + v) % 6])
    if trainer:
        actor(k, q, A(OLDPIET, .88, .07, 1.02, "phone", "think", "look")[1])
        with k.at(k.w * .935, k.h * .62, k.h / 270 * .5):
            P.clock(k, 12, (q.p * 60 * 3) % 60)


def podium(k, q, v=0, who=0, coat="grey", word="WINNER!"):
    S.paddock(k, q, v)
    effect(k, q, F("rays", c="#ffffff26", y=.4)[1])
    with k.at(k.w * .33, k.h * .97, k.h / 270 * 1.3):
        H.standing(k, coat, 3 * q.sin(3), q.sin(2), rug=SILKS[who][0], rug2=SILKS[who][1], number=1)
    actor(k, q, A(jockey(who, skin=("caramel", "cocoa", "honey", "brown")[who % 4]), .68, .08, 1.0, "up", "laugh", "cheer")[1])
    with k.at(k.w * .86, k.h * .9 - 4 * q.hop(4), k.h / 270 * 1.15, rot=4 * q.sin(4)):
        P.trophy(k)
    P.confetti(k, k.w, k.h, q.p * 2, 30)
    with k.at(k.w * .7, k.h * .2, 1 + .05 * q.sin(4), rot=-4):
        k.text(word, 0, 0, "bangers", k.h * .16, "#ffd23f", "c", "#14402a", k.h * .03)


def silks_room(k, q, v=0):
    """A rail of silks slides by; a jockey picks hers."""
    k.back("#3a2a3f", "#5a3f4f")
    k.line(-20, k.h * .13, k.w + 20, k.h * .13, "#c9ced8", 5)
    def coat(i, x):
        a, b = SILKS[i % 9]
        with k.at(x + 30, k.h * .86, k.h * .085, rot=4 * q.sin(2, i * .13)):
            L = jockey(i)
            w = 1.18
            from .draw import svg_path
            k.line(0, -8.6, 0, -6.4, "#c9ced8", .12)
            t = svg_path("M -0.4,-6.5 L -1.3,-6.2 L -2.0,-3.6 L -1.4,-3.4 L -1.0,-5.0 L -1.0,-2.4 L 1.0,-2.4 L 1.0,-5.0 L 1.4,-3.4 L 2.0,-3.6 L 1.3,-6.2 L 0.4,-6.5 Z")
            k.path(t, a)
            with k.clip(t):
                C.garment(k, L, "silks", a, b, w, -6.0, -2.4, "#7b4b2e")
    S.scroll(k, q.saw(1), k.w / 6, coat)
    actor(k, q, A({**THEMBI, "hat": None}, .5, .1, 1.14, "think", "think", "look")[1])


def starter_flag(k, q, v=0):
    S.turf(k, q, v, off=0)
    actor(k, q, A({**CALLER, "hat": "cap", "hat_c": "#c8434e"}, .26, .09, 1.02, "cheer", "oh", "wave", item="flag")[1])
    for i in range(3):
        with k.at(k.w * (.62 + .16 * i), k.h * (.8 + .07 * i), k.h / 270 * (.8 + .12 * i)):
            H.standing(k, COATS[i + 1], 4 * q.sin(4, i * .3), q.sin(3, i * .2), rug=SILKS[i][0], rug2=SILKS[i][1], number=i + 1)


SCENES = {f.__name__: f for f in (race, duel, gates, trackmap, form, parade, stall, dawn, podium, silks_room, starter_flag)}
SCENES["play"] = play


def V(slug, name, line, artist, status, secs, staging, sound):
    return dict(slug=slug, name=name, video_name=line, artist=artist, status=status, secs=secs, staging=staging, sound=sound)


CATEGORIES = [
    ("live-races", "Live Races", [
        V("kestrel-downs-mile", "Kestrel Downs Mile", "The Kestrel Downs Mile: fourteen hundred hooves of noise", "Kestrel Downs", "live", 6, dict(scene="race", v=0, n=3, lead=2, zoom=1.2), "race"),
        V("bluegum-sprint", "Bluegum Sprint", "Bluegum Sprint: out of the gates and gone", "Bluegum Park", "live", 6, dict(scene="gates", v=3), "gates"),
        V("marula-night-stakes", "Marula Night Stakes", "Marula Night Stakes under the lights", "Marula Straight", "live", 6, dict(scene="race", v=2, n=3, lead=0, first=3, zoom=1.15), "race"),
        V("sunset-handicap", "Sunset Handicap", "Sunset Handicap: long shadows, short heads", "Kestrel Downs", "live", 6, dict(scene="duel", v=1, first=2, word=""), "race"),
        V("heritage-cup", "Heritage Cup", "The Heritage Cup, from start to photo", "Bluegum Park", "live", 6, dict(scene="race", v=4, n=3, lead=1, first=1, zoom=1.2, finish=True), "race"),
        V("maiden-plate-start", "Maiden Plate: The Start", "Maiden Plate: the flag, the fuss, the start", "Marula Straight", "live", 6, dict(scene="starter_flag", v=5), "fanfare"),
    ]),
    ("replays", "Replays", [
        V("won-by-a-whisker", "Won by a Whisker", "Won by a whisker: watch the nostril", "Race Replay", "replay", 6, dict(scene="duel", v=0, first=0, word="PHOTO FINISH!"), "race"),
        V("last-to-first", "Last to First", "Last to first: Thunder Kota finds a gap", "Race Replay", "replay", 6, dict(scene="race", v=1, n=3, lead=1, first=2, zoom=1.2, finish=True), "race"),
        V("one-lap-six-dots", "One Lap from Above", "One lap from above: follow number three", "Sky Camera", "replay", 7, dict(scene="trackmap", v=0), "tactics"),
        V("dead-heat-of-june", "The Dead Heat of June", "The dead heat of June, slowed right down", "Race Replay", "replay", 6, dict(scene="duel", v=3, first=4, word="DEAD HEAT?"), "race"),
        V("river-turn", "The River Turn", "The river turn: where the Sand Track was won", "Sky Camera", "replay", 7, dict(scene="trackmap", v=2, name="SAND RIVER"), "tactics"),
        V("grey-by-daylight", "A Grey by Daylight", "A grey by daylight: seven lengths and smiling", "Race Replay", "replay", 6, dict(scene="race", v=5, n=3, lead=2, first=0, zoom=1.15), "race"),
    ]),
    ("form-guide", "Form Guide", [
        V("form-marula-belle", "Marula Belle", "Form guide: Marula Belle likes it firm", "Form Guide", "form", 6, dict(scene="form", v=0, horse="MARULA BELLE", coat="bay"), "tactics"),
        V("form-thunder-kota", "Thunder Kota", "Form guide: Thunder Kota, extra cheese", "Form Guide", "form", 6, dict(scene="form", v=2, horse="THUNDER KOTA", coat="chestnut", silks=1, rows=(("SPEED", .95), ("STAYS", .4), ("DRAW", .55), ("HUNGER", 1.0))), "tactics"),
        V("form-grey-monday", "Grey Monday", "Form guide: Grey Monday improves by Friday", "Form Guide", "form", 6, dict(scene="form", v=1, horse="GREY MONDAY", coat="grey", silks=2, rows=(("SPEED", .6), ("STAYS", .92), ("DRAW", .35), ("MOOD", .2))), "tactics"),
        V("form-midnight-vuvuzela", "Midnight Vuvuzela", "Form guide: Midnight Vuvuzela, heard from afar", "Form Guide", "form", 6, dict(scene="form", v=5, horse="MIDNIGHT VUVUZELA", coat="black", silks=3, rows=(("SPEED", .8), ("STAYS", .7), ("DRAW", .62), ("NOISE", 1.0))), "tactics"),
        V("form-golden-gogo", "Golden Gogo", "Form guide: Golden Gogo does not rush for anybody", "Form Guide", "form", 6, dict(scene="form", v=3, horse="GOLDEN GOGO", coat="palomino", silks=4, rows=(("SPEED", .3), ("STAYS", 1.0), ("DRAW", .74), ("STYLE", .96))), "tactics"),
        V("form-five-to-follow", "Five to Follow", "Five to follow at the summer meeting", "Form Guide", "form", 6, dict(scene="stall", v=1, coats=("bay", "grey", "chestnut", "black")), "country"),
    ]),
    ("jockeys", "Jockeys", [
        V("thembi-rides-tall", "Thembi Rides Tall", "Thembi rides tall: from farm gate to start gate", "Thembi Radebe", "people", 6, dict(set="paddock", v=0, parts=[
            F("draw", f=lambda k, q: standing_by(k, q, "palomino", .74)), A(THEMBI, .3, .1, 1.08, "fold", "grin", "talk"), B("I talk, he listens. Mostly.", .52, .28, .36, (.1, .6))]), "country"),
        V("choosing-silks", "Choosing the Silks", "Choosing the silks: spots are faster", "Thembi Radebe", "people", 6, dict(scene="silks_room", v=0), "jazz"),
        V("first-winner", "First Winner", "First winner: he cried, the horse did not", "Kabelo Stride", "people", 6, dict(scene="podium", v=0, who=3, coat="bay", word="FIRST WIN!"), "fanfare"),
        V("sixty-at-dawn", "Sixty at Dawn", "Sixty at dawn: what it feels like", "Kabelo Stride", "people", 6, dict(scene="dawn", v=2, n=2, trainer=False), "dawn"),
        V("jockey-gym", "Small People, Big Gym", "Small people, big gym: planks with Kabelo", "Kabelo Stride", "people", 6, dict(set="gym", v=0, parts=[
            A({**jockey(6, skin="cocoa"), "hat": "band", "hat_c": "#ffd23f"}, .34, .078, .98, "flex", "grin", "cheer"), A({**jockey(4, skin="honey"), "hat": None, "hair": "curly"}, .68, .078, .98, "wide", "oh", "shake"), F("sweat", x=.68, y=.35), B("Ninety-nine, one hundred!", .5, .28, .36, (.1, .6))]), "gym"),
        V("the-caller", "The Man with the Breath", "The caller: nine hundred metres, one breath", "Voice of the Track", "people", 6, dict(set="studio", v=1, title="ON AIR", parts=[
            A(CALLER, .3, .108, 1.14, "up", "laugh", "talk", n=8), F("draw", f=lambda k, q: S.equaliser(k, q, 2, k.w * .56, k.h * .76, k.w * .4, k.h * .22, "#f2c230", 16)), B("And they turn for HOME!", .52, .3, .3, (.1, .9))]), "race"),
    ]),
    ("stables", "Stables", [
        V("carrot-o-clock", "Carrot o'Clock", "Carrot o'clock at Oom Piet's yard", "Oom Piet's Yard", "people", 6, dict(scene="stall", v=0, coats=("chestnut",), who=OLDPIET, say="Just one, I said."), "country"),
        V("first-light-gallops", "First-light Gallops", "First-light gallops: frost, breath, stopwatch", "Oom Piet's Yard", "people", 6, dict(scene="dawn", v=0), "dawn"),
        V("bath-day", "Bath Day", "Bath day: the grey one disagrees", "Mrs Naidoo's Yard", "people", 6, dict(set="paddock", v=3, parts=[
            F("draw", f=lambda k, q: bath(k, q)), A(GROOM, .76, .086, 1.0, "give", "laugh", "stir"), B("Stand still, madam!", .2, .3, .28, (.1, .6))]), "kwela"),
        V("goat-in-stall-four", "The Goat in Stall Four", "The goat in stall four: best friends travel together", "Mrs Naidoo's Yard", "people", 6, dict(set="stable", v=2, parts=[
            F("draw", f=lambda k, q: standing_by(k, q, "dark", .36)), O("goat", .76, .94, 1.9, "bob"), B("He won't race without her", .8, .32, .32, (.1, .6))]), "country"),
        V("two-at-the-door", "Two at the Door", "Two at the door: breakfast is eleven seconds late", "Oom Piet's Yard", "people", 6, dict(scene="stall", v=3, coats=("palomino", "black")), "country"),
        V("walking-the-ring", "Walking the Ring", "Walking the ring: how to look expensive", "Mrs Naidoo's Yard", "people", 6, dict(scene="parade", v=4, coat="black", rug="#c8233f", number=7, say="Head up, tail proud."), "jazz"),
    ]),
    ("big-days", "Big Days", [
        V("cup-day-hats", "Cup Day Hats", "Cup day hats: the wind has favourites", "Big Days", "people", 6, dict(set="turf", v=4, parts=[
            A({**MRSNAIDOO, "hat_c": "#d6336c", "top_c": "#d6336c", "legs_c": "#d6336c"}, .24, .09, 1.02, "hips", "grin", "bob"), A({**PEOPLE["singer"], "hat": "fedora", "hat_c": "#ffd23f", "hair": "puff"}, .5, .09, 1.02, "wave", "laugh", "wave"), A({**PEOPLE["anchorman"], "hat": "fedora", "hat_c": "#24407a"}, .76, .09, 1.02, "fold", "smirk", "look"), F("confetti", n=1)]), "jazz"),
        V("the-grey-lifts-it", "The Grey Lifts the Cup", "The grey lifts the cup (his groom helps)", "Big Days", "live", 6, dict(scene="podium", v=5, who=6, coat="grey", word="CHAMPION!"), "fanfare"),
        V("parade-of-champions", "Parade of Champions", "Parade of champions: six cups, one apple", "Big Days", "live", 6, dict(scene="parade", v=0, coat="palomino", rug="#0f5a4a", number=1), "fanfare"),
        V("summer-cup-field", "The Summer Field", "The summer field: nine silks, one straight", "Big Days", "live", 6, dict(scene="race", v=0, n=4, lead=3, first=4, zoom=1.1), "race"),
        V("grandstand-noise", "Grandstand Noise", "Grandstand noise: forty seconds of everybody", "Big Days", "people", 6, dict(set="turf", v=0, parts=[
            F("draw", f=lambda k, q: S.crowd(k, k.h * .56, 3, q, 7, size=k.h * .045, wave=2)), A("fan", .22, .085, 1.05, "up", "laugh", "cheer"), A("aunty", .44, .085, 1.06, "cheer", "laugh", "cheer", n=5, item="flag"), A("mkhulu", .64, .085, 1.05, "up", "wow", "cheer", n=6), A("fan2", .84, .085, 1.06, "up", "laugh", "cheer", n=3)]), "race"),
        V("last-race-of-the-year", "Last Race of the Year", "Last race of the year, first dance of the night", "Big Days", "replay", 6, dict(scene="duel", v=2, first=5, word="WHAT A YEAR!"), "race"),
    ]),
]


def standing_by(k, q, coat, x):
    with k.at(k.w * x, k.h * .95, k.h / 270 * 1.35):
        k.oval(0, 2, 84, 7, "#00000030")
        H.standing(k, coat, 3 * q.sin(3), q.sin(2))


def bath(k, q):
    standing_by(k, q, "grey", .38)
    for i in range(16):
        t = q.saw(2, i / 16)
        k.circle(k.w * (.22 + .02 * i) + 8 * math.sin(t * 7 + i), k.h * (.62 + .03 * (i % 4) - .35 * t), 4 + 5 * ((i * 3) % 4) / 3, fade("#ffffff", .75 * (1 - t)))
    for i in range(8):
        t = q.saw(4, i / 8)
        k.circle(k.w * (.66 - .2 * t), k.h * (.56 - .16 * math.sin(3.14 * t) + .05 * t), 4, fade("#8fdcff", .9))
    with k.at(k.w * .9, k.h * .98, k.h / 270):
        k.poly([(-30, -46), (30, -46), (22, 0), (-22, 0)], "#2f86c9")
        for i in range(5):
            k.circle(-22 + i * 11, -48 + 2 * q.sin(3, i * .2), 10, "#ffffff")


VIDEOS = [(v["slug"], v["staging"]) for _, _, vs in CATEGORIES for v in vs]
BANNERS = [("summer-season", "The summer season is off and running", "SUMMER SEASON:|OFF AND RUNNING", "summer-cup-field", dict(scene="race", v=0, n=5, lead=3, first=2, zoom=1.1))]
