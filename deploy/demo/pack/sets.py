"""Places: each draws a whole backdrop for an Ink of any size. q is the loop's Beat, v (0..) picks colours."""
import math
import random

from . import props as P
from .draw import dark, fade, light, mix, text_width


def pick(v, *options):
    return options[v % len(options)]


def floor(k, y, c):
    k.rect(-20, y, k.w + 40, k.h - y + 20, k.vgrad(y, k.h, c, dark(c, .22)))


def stars(k, n=50, h=.6, seed=1, q=None):
    r = random.Random(seed)
    for i in range(n):
        a = .35 + .6 * r.random()
        if q and i % 4 == 0:
            a *= .6 + .4 * q.sin(1 + i % 3, i * .1)
        k.circle(r.random() * k.w, r.random() * k.h * h, .6 + r.random(), fade("#ffffff", a))


def hills(k, y, amp, c, seed, off=0.0, n=7):
    """A ridge that repeats every k.w, so a whole-width scroll loops."""
    r = random.Random(seed)
    hs = [r.random() for _ in range(n)]
    pts = []
    step = k.w / n
    for i in range(-2, 2 * n + 3):
        pts.append((i * step - (off % 1) * k.w, y - amp * hs[i % n]))
    p = k.spline(pts, closed=False)
    p.lineTo(pts[-1][0], k.h + 40)
    p.lineTo(pts[0][0], k.h + 40)
    p.close()
    k.path(p, c)


def scroll(k, off, gap, draw):
    """Calls draw(i, x) for things gap apart; the pattern repeats every k.w when k.w is a multiple of gap."""
    n = max(1, round(k.w / gap))
    gap = k.w / n
    for i in range(-2, n + 3):
        draw(i % n, i * gap - (off % 1) * k.w)


def window(k, x, y, w, h, sky="#9fd8ff", frame="#f5efe6", q=None, night=False):
    k.rect(x - 5, y - 5, w + 10, h + 10, frame, 4)
    k.rect(x, y, w, h, k.vgrad(y, y + h, "#101735" if night else sky, "#2c2f62" if night else light(sky, .5)))
    if night:
        for i in range(6):
            k.circle(x + (i * 37 + 11) % w, y + (i * 23 + 7) % h, 1, "#ffffffb0")
    k.line(x + w / 2, y, x + w / 2, y + h, frame, 4)
    k.line(x, y + h / 2, x + w, y + h / 2, frame, 4)


def frame_picture(k, x, y, w, h, c, v=0):
    k.rect(x, y, w, h, "#5a3d26", 2)
    k.rect(x + 4, y + 4, w - 8, h - 8, c)
    with k.clip_rect(x + 4, y + 4, w - 8, h - 8):
        k.circle(x + w * .7, y + h * .35, w * .12, "#ffd24a")
        k.poly([(x, y + h), (x + w * .4, y + h * .45), (x + w * .8, y + h)], dark(c, .35))


def lounge(k, q, v=0, night=False, sofa=True, wall=None):
    wall = wall or pick(v, "#f2c879", "#8fc7b8", "#e79a8c", "#a9b8e8", "#d9b3dc", "#c6d68a")
    k.back(light(wall, .12), wall)
    g = k.h * .76
    k.rect(-20, g - 8, k.w + 40, 8, light(wall, .4))
    floor(k, g, pick(v, "#a8713f", "#8a5a3c", "#7d6a5a"))
    window(k, k.w * .08, k.h * .16, k.w * .2, k.h * .3, night=night)
    for sx in (0, 1):
        k.rect(k.w * (.055 + .2 * sx), k.h * .13, k.w * .045, k.h * .4, pick(v + 2, "#c8434e", "#2f7f86", "#7a5cc4", "#e08a2e"), 4)
    frame_picture(k, k.w * .72, k.h * .17, k.w * .14, k.h * .16, "#8fd0e0")
    if sofa:
        with k.at(k.w * .5, g + k.h * .06, k.h / 270 * .98):
            P.sofa(k, pick(v, "#7a5cc4", "#c8434e", "#2f7f86", "#d98a2e", "#4a6fb5"))
    k.oval(k.w * .5, k.h * .93, k.w * .4, k.h * .06, fade(pick(v, "#c8434e", "#f0e0c0", "#2f5fa0"), .55))


def dark_lounge(k, q, v=0):
    lounge(k, q, v, night=True)
    k.back("#0a0a24d8")


def kitchen(k, q, v=0):
    wall = pick(v, "#bfe3df", "#fbe3b5", "#f6c9b5", "#d7e6b8", "#cfd8f2")
    k.back(light(wall, .25), wall)
    t = pick(v + 1, "#ffffff", "#e9f4f2")
    y0, s = k.h * .3, k.h * .09
    for i in range(int(k.w / s) + 2):
        for j in range(4):
            if (i + j) % 2:
                k.rect(i * s, y0 + j * s, s - 1.5, s - 1.5, fade(t, .5), 2)
    cab = pick(v, "#3f7f8c", "#c46a3f", "#8a4f7d", "#4f8a5a", "#4a5fa0")
    for i in range(5):
        x = k.w * (.02 + .2 * i)
        if i != 2:
            k.rect(x, -4, k.w * .17, k.h * .24, cab, 4)
            k.circle(x + k.w * .15, k.h * .19, 3, "#f3e2b0")
    g = k.h * .7
    k.rect(-20, g, k.w + 40, k.h * .045, "#e8ddd0")
    k.rect(-20, g + k.h * .045, k.w + 40, k.h * .4, dark(cab, .12))
    for i in range(6):
        x = k.w * (.01 + .17 * i)
        k.rect(x, g + k.h * .08, k.w * .15, k.h * .3, cab, 5)
        k.rect(x + k.w * .055, g + k.h * .1, k.w * .04, 4, "#f3e2b0", 2)
    window(k, k.w * .42, k.h * .06, k.w * .16, k.h * .26)


def bedroom(k, q, v=0, night=True):
    wall = pick(v, "#39406e", "#4b3a66", "#2f5560") if night else pick(v, "#f5cfd6", "#cfe2f5", "#e5dcf7")
    k.back(light(wall, .1), dark(wall, .1))
    window(k, k.w * .1, k.h * .12, k.w * .22, k.h * .3, night=night)
    floor(k, k.h * .85, dark(wall, .3))
    k.rect(k.w * .3, k.h * .42, k.w * .66, k.h * .4, "#7a4f33", 12)
    k.rect(k.w * .26, k.h * .7, k.w * .74, k.h * .24, pick(v, "#e5677d", "#3f8ac4", "#e8a83c"), 14)
    frame_picture(k, k.w * .7, k.h * .12, k.w * .13, k.h * .16, "#b7a4e0")


def house(k, x, g, w, h, c, roof, door):
    k.rect(x, g - h, w, h, c)
    k.poly([(x - 6, g - h), (x + w * .5, g - h * 1.42), (x + w + 6, g - h)], roof)
    k.rect(x + w * .16, g - h * .72, w * .25, h * .3, "#35506b", 2)
    k.line(x + w * .285, g - h * .72, x + w * .285, g - h * .42, "#f0f0f0", 1.6)
    k.rect(x + w * .6, g - h * .66, w * .22, h * .66, door, 2)


def street(k, q, v=0, off=0.0, sky=None, far=True, wires=True):
    """A township street; off 0..1 scrolls one whole width."""
    a, b = sky or pick(v, ("#69b7f0", "#d8f0fb"), ("#f79d65", "#ffe3a8"), ("#5e7ce0", "#f7b7c5"), ("#2a2f6a", "#e0738a"))
    k.back(a, b)
    k.circle(k.w * .8, k.h * .2, k.h * .075, "#fff3c0")
    for i in range(3):
        with k.at((k.w * (.2 + .36 * i) + 20 * q.sin(1, i * .3)), k.h * (.14 + .05 * (i % 2)), .55 * k.h / 270):
            P.cloud(k, "#ffffffb0")
    hills(k, k.h * .6, k.h * .14, mix(b, "#5a6f8f", .45), 3, off * .0)
    g = k.h * .74
    cs = ("#f0a35e", "#7fc4b8", "#ef7f7a", "#f3d06a", "#9ab6e8", "#c9a2d8")
    def one(i, x):
        house(k, x + 6, g, k.w / 5 - 16, k.h * .2 + (i % 2) * k.h * .03, cs[(i + v) % 6], ("#8a3d34", "#5a5f6c", "#a8603a")[i % 3], ("#3a5f8a", "#7a3f2a", "#2f6b4f")[i % 3])
    scroll(k, off, k.w / 5, one)
    if wires:
        def pole(i, x):
            k.rect(x - 2, k.h * .26, 5, g - k.h * .26, "#6a5140")
            k.line(x - 14, k.h * .3, x + 16, k.h * .3, "#6a5140", 4)
        scroll(k, off, k.w / 2, pole)
        for y in (.3, .33):
            def wire(i, x):
                k.spline([(x, k.h * y), (x + k.w / 4, k.h * (y + .04)), (x + k.w / 2, k.h * y)], "#3a3038", 1.4, closed=False)
            scroll(k, off, k.w / 2, wire)
    k.rect(-20, g, k.w + 40, k.h * .05, "#c9a97a")
    k.rect(-20, g + k.h * .05, k.w + 40, k.h, "#5a5d68")
    def dash(i, x):
        k.rect(x, k.h * .9, k.w / 14, 4, "#f3e7b0")
    scroll(k, off * 1.0, k.w / 6, dash)


def rank(k, q, v=0):
    k.back(*pick(v, ("#7cc4f2", "#e9f6fb"), ("#ffb36b", "#ffe9c0")))
    for i in range(6):
        h = k.h * (.22 + .13 * ((i * 5) % 3))
        k.rect(i * k.w / 5.5 - 10, k.h * .6 - h, k.w / 6.5, h + 60, mix("#9fb3cc", "#d9c4b0", (i % 3) / 2))
    g = k.h * .72
    k.rect(-20, k.h * .2, k.w + 40, k.h * .06, "#d64b3f")
    for i in range(14):
        k.poly([(i * k.w / 13, k.h * .26), ((i + 1) * k.w / 13, k.h * .26), ((i + .5) * k.w / 13, k.h * .305)], "#ffffff" if i % 2 else "#d64b3f")
    for x in (.06, .94):
        k.rect(k.w * x - 5, k.h * .26, 10, g - k.h * .26, "#5a5f6c")
    k.rect(-20, g, k.w + 40, k.h, "#6a6d78")
    with k.at(k.w * .72, g + 12, .6 * k.h / 270):
        P.taxi(k, "#f7f7f2", pick(v, "#2f6fde", "#e08a2e", "#2f9e5a"), pick(v, "TOWN", "KASI", "MALL"))
    k.rect(k.w * .1, k.h * .31, k.w * .22, k.h * .09, "#1f4e9c", 4)
    k.text("TAXI RANK", k.w * .21, k.h * .375, "bebas", k.h * .075, "#ffffff", "c")


def taxi_in(k, q, v=0, off=0.0):
    """Inside a minibus taxi, looking at the seats; the world passes the windows."""
    k.back("#3a3f55", "#2a2c3d")
    y, h = k.h * .12, k.h * .36
    with k.clip_rect(k.w * .03, y, k.w * .94, h, 16):
        k.rect(0, y, k.w, h, k.vgrad(y, y + h, *pick(v, ("#74c1f0", "#dff3fb"), ("#f58e5b", "#ffe0a6"), ("#232a63", "#b0608a"))))
        hills(k, y + h * .7, h * .35, pick(v, "#6fa36a", "#a8623f", "#3a3560"), 5, off)
        def thing(i, x):
            with k.at(x, y + h + 4, h / 110):
                (P.tree if i % 3 == 0 else P.aloe if i % 3 == 1 else P.pylon)(k)
        scroll(k, off * 2, k.w / 3, thing)
    for x in (.34, .66):
        k.rect(k.w * x - 5, y - 4, 10, h + 8, "#3a3f55")
    k.rect(-20, y + h + 4, k.w + 40, 8, pick(v, "#d64b3f", "#2f9e5a", "#e0a52e"))
    k.rect(k.w * .3, k.h * .015, k.w * .4, k.h * .08, "#14151f", 6)
    k.text(pick(v, "SHORT LEFT", "CHANGE? WAIT", "4 - 4 SITTING"), k.w * .5, k.h * .078, "bebas", k.h * .07, "#ffd23f", "c")


def seats(k, v=0, y=.72):
    c = pick(v, "#8a3f4f", "#3f5f9a", "#3f7f5a")
    for i in range(4):
        x = k.w * (.01 + .25 * i)
        k.rect(x, k.h * y, k.w * .23, k.h * .5, c, 16)
        k.rect(x + k.w * .035, k.h * (y - .1), k.w * .16, k.h * .14, light(c, .1), 12)
        k.line(x + k.w * .115, k.h * (y + .04), x + k.w * .115, k.h, dark(c, .25), 3)


def spaza(k, q, v=0, name=None):
    wall = pick(v, "#e8563f", "#2f86c9", "#f2b632", "#3da35d", "#8a5cc4")
    k.back("#7cc8f2", "#e4f5fb")
    k.rect(k.w * .04, k.h * .2, k.w * .92, k.h * .62, wall)
    k.rect(0, k.h * .15, k.w, k.h * .07, "#8d939f")
    for i in range(int(k.w / 14) + 1):
        k.line(i * 14, k.h * .15, i * 14, k.h * .22, "#6f7582", 2)
    k.rect(k.w * .1, k.h * .235, k.w * .8, k.h * .105, "#fff8e6", 4)
    k.text(name or pick(v, "MA-D'S SPAZA", "SIYAYA TUCK SHOP", "KASI CORNER", "BRA VUSI CASH STORE", "GOGO'S SPAZA"), k.w * .5, k.h * .32, "lilita", k.h * .085, dark(wall, .45), "c")
    k.rect(k.w * .16, k.h * .38, k.w * .68, k.h * .3, "#2a1f2b")
    for j in range(2):
        y = k.h * (.47 + .1 * j)
        k.line(k.w * .17, y, k.w * .83, y, "#7a5a3a", 3)
        for i in range(14):
            x, hh = k.w * (.18 + .047 * i), k.h * (.05 + .025 * ((i * 7 + j) % 3))
            k.rect(x, y - hh, k.w * .034, hh, ("#ffd23f", "#e5484d", "#5ac8fa", "#3ddc84", "#ff8ac4", "#ffffff", "#f28a2e")[(i * 3 + j * 2 + v) % 7], 2)
    k.rect(k.w * .12, k.h * .66, k.w * .76, k.h * .05, "#b98a54", 3)
    floor(k, k.h * .8, "#c9a06a")


def classroom(k, q, v=0, text=("2 + 2 = KOTA",), chalk="#f5f5ea"):
    wall = pick(v, "#f3e2b8", "#cfe3ea", "#e6d3c3")
    k.back(light(wall, .2), wall)
    k.rect(k.w * .1, k.h * .1, k.w * .8, k.h * .42, "#8a5a36", 5)
    k.rect(k.w * .12, k.h * .125, k.w * .76, k.h * .37, pick(v, "#24513f", "#2a3a4a"), 3)
    for i, t in enumerate(text):
        k.text(t, k.w * .5, k.h * (.24 + .12 * i), "lilita", k.h * .085, chalk, "c")
    floor(k, k.h * .78, "#b58a5c")
    k.rect(-20, k.h * .76, k.w + 40, k.h * .03, dark(wall, .2))


def school_desks(k, v=0, y=.86):
    for i in range(4):
        x = k.w * (.0 + .27 * i)
        k.rect(x, k.h * y, k.w * .22, k.h * .045, "#c98f4e", 3)
        k.rect(x + 8, k.h * (y + .045), 6, k.h * .2, "#5a5f6c")
        k.rect(x + k.w * .22 - 14, k.h * (y + .045), 6, k.h * .2, "#5a5f6c")


def office(k, q, v=0, night=False):
    wall = pick(v, "#dfe7ef", "#f0e6da", "#d7e5dc", "#e6dcec")
    k.back(light(wall, .2), wall)
    k.rect(k.w * .06, k.h * .1, k.w * .56, k.h * .38, "#a9d4f2" if not night else "#1a2250")
    for i in range(7):
        h = k.h * (.1 + .08 * ((i * 5) % 4))
        k.rect(k.w * (.07 + .078 * i), k.h * .48 - h, k.w * .065, h, "#7f9ab8" if not night else "#2f3a70")
        for j in range(int(h / 9)):
            if (i + j) % 2:
                k.rect(k.w * (.08 + .078 * i), k.h * .48 - h + 4 + j * 9, 4, 4, "#ffe9a0" if night else "#e6f2fb")
    for i in range(5):
        k.line(k.w * (.06 + .14 * i), k.h * .1, k.w * (.06 + .14 * i), k.h * .48, "#f6f8fa", 3)
    floor(k, k.h * .78, pick(v, "#7f8fa5", "#a08a78", "#6f8f80"))
    with k.at(k.w * .84, k.h * .24, k.h / 330):
        P.clock(k, 4, 55, rim="#2f3442")
    with k.at(k.w * .92, k.h * .8, k.h / 270):
        k.rect(-16, -32, 32, 32, "#c46a3f", 4)
        for a in (-40, -20, 0, 20, 40):
            with k.at(0, -30, rot=a):
                k.oval(0, -26, 7, 26, "#3f8f5a")


def crowd(k, y, rows, q, seed=3, h=None, cs=None, size=7, wave=0.0):
    r = random.Random(seed)
    cs = cs or ("#e5484d", "#ffd23f", "#3ddc84", "#5ac8fa", "#ffffff", "#f28a2e", "#b57bff")
    sk = ("#4a2c1d", "#7b4b2e", "#9c6238", "#cc9663")
    for j in range(rows):
        n = int(k.w / (size * 2.1)) + 2
        for i in range(n):
            x = i * size * 2.1 + (j % 2) * size - 4
            beat = int(q.p * 8)  # two steps a second at most: a crowd that moves on every frame costs more than it shows
            yy = y + j * size * 2.0 - size * .6 * ((beat + r.randrange(4)) % 4 == 0)
            if wave:
                yy -= size * 1.2 * (math.sin(2 * math.pi * (beat / 8 * wave - x / k.w)) > .6)
            k.rect(x - size * .8, yy + size * .4, size * 1.6, size * 2.2, cs[r.randrange(len(cs))], size * .6)
            k.circle(x, yy, size * .62, sk[r.randrange(4)])


def lights(k, x, y, s=1.0, on=True):
    k.rect(x - 2 * s, y, 4 * s, 120 * s, "#aab4c4")
    k.rect(x - 24 * s, y - 16 * s, 48 * s, 26 * s, "#39414f", 3)
    for i in range(4):
        for j in range(2):
            k.circle(x + (-18 + i * 12) * s, y + (-9 + j * 12) * s, 4.4 * s, "#fffbe0" if on else "#8a919e")
    if on:
        k.glow(x, y - 2, 80 * s, "#fff6c8", .45)


def pitch(k, q, v=0, goal=None, crowd_on=True, off=0.0, horizon=.46):
    a, b = pick(v, ("#16306b", "#4a7ac0"), ("#5fb6ef", "#d5effb"), ("#3a1d5c", "#e0738a"), ("#f58e5b", "#ffd9a0"))
    k.back(a, b)
    night = v % 4 in (0, 2)
    for x in (.1, .9):
        lights(k, k.w * x, k.h * .12, k.h / 300, night)
    y = k.h * horizon
    k.rect(-20, y - k.h * .22, k.w + 40, k.h * .24, dark(a, .35))
    if crowd_on:
        crowd(k, y - k.h * .185, 3, q, 4 + v, size=k.h * .03, wave=2, cs=tuple(mix(c, dark(a, .35), .25) for c in ("#e5484d", "#ffd23f", "#3ddc84", "#5ac8fa", "#ffffff")))
    k.rect(-20, y - 2, k.w + 40, k.h * .055, pick(v, "#0f7a4a", "#c8434e", "#2f5fa0", "#7a3f8a"))
    ads = pick(v, "KOTA  •  AMANZI  •  EISH!  •  ", "SPAZA  •  BRAAI DAY  •  ", "MZANSI  •  LADUMA!  •  ", "ROOIBOS  •  RUSKS  •  ")
    with k.clip_rect(0, y - 2, k.w, k.h * .055):
        w = text_width(ads, "bebas", k.h * .05)
        for i in range(-1, int(k.w / w) + 3):
            k.text(ads, i * w, y + k.h * .038, "bebas", k.h * .05, "#ffffff")
    g = pick(v, "#2f9e4f", "#3aa856", "#2a8a5a", "#4a9e3f")
    k.rect(-20, y + k.h * .05, k.w + 40, k.h, g)
    n = 8
    def stripe(i, x):
        if i % 2 == 0:
            k.poly([(x, y + k.h * .05), (x + k.w / n, y + k.h * .05), (k.w / 2 + (x + k.w / n - k.w / 2) * 1.9, k.h + 20), (k.w / 2 + (x - k.w / 2) * 1.9, k.h + 20)], light(g, .09))
    scroll(k, off, k.w / n, stripe)
    k.line(-20, y + k.h * .1, k.w + 20, y + k.h * .1, "#ffffffc0", 2.5)
    if goal == "right":
        with k.at(k.w * .95, k.h * .8):
            net(k, k.h)
    if goal == "front":
        with k.at(k.w * .5, y + k.h * .2):
            P.goalposts(k, k.w * .62, k.h * .42)


def net(k, h):
    for i in range(8):
        t = i / 7
        k.line(h * .02 * i, -h * (.4 - .008 * i * 1.0), h * .03 * i, -h * .05 * t, "#ffffff66", 1.2)
        k.line(0, -h * .4 * t, h * .2, -h * (.34 * t + .02), "#ffffff66", 1.2)
    k.limb([(0, 0), (0, -h * .4), (h * .16, -h * .35)], "#ffffff", 5)


def topdown(k, q, v=0):
    g = pick(v, "#2f9e4f", "#1f5a44", "#2a4f8a")
    k.back(g)
    for i in range(0, 10, 2):
        k.rect(i * k.w / 10, 0, k.w / 10, k.h, light(g, .07))
    c = "#ffffffd0"
    k.rect(k.w * .04, k.h * .06, k.w * .92, k.h * .88, c, stroke=2.5)
    k.line(k.w / 2, k.h * .06, k.w / 2, k.h * .94, c, 2.5)
    k.circle(k.w / 2, k.h / 2, k.h * .15, c, 2.5)
    for x in (.04, .84):
        k.rect(k.w * x, k.h * .25, k.w * .12, k.h * .5, c, stroke=2.5)
    for x in (.04, .91):
        k.rect(k.w * x, k.h * .38, k.w * .05, k.h * .24, c, stroke=2.5)


def stage(k, q, v=0, wall=None, sign="COMEDY", beams=True):
    kind = pick(v, "brick", "curtain", "neon", "stripes", "wood", "sunset")
    g = k.h * .78
    if kind == "brick":
        k.back("#5a2f35", "#3a1c26")
        bw, bh = k.w / 12, k.h / 15
        for j in range(12):
            for i in range(-1, 13):
                k.rect(i * bw + (j % 2) * bw / 2, j * bh, bw - 2, bh - 2, mix("#7d3f3f", "#94503f", ((i * 7 + j * 5) % 5) / 5), 1.5)
    elif kind == "curtain":
        k.back("#6a1230")
        for i in range(13):
            x = i * k.w / 12
            k.rect(x - k.w / 24, 0, k.w / 13, g, k.hgrad(x - k.w / 24, x + k.w / 24, "#a31d48", "#5a0f2a"))
        for i in range(7):
            k.oval(i * k.w / 6, 0, k.w / 11, k.h * .16, "#c22a5a")
            k.arc(i * k.w / 6, 0, k.w / 11, k.h * .16, 10, 160, "#f6c945", 3)
    elif kind == "neon":
        k.back("#120c2c", "#2a1250")
        for i in range(9):
            k.line(i * k.w / 8, g, k.w / 2 + (i - 4) * k.w / 24, 0, "#ff3d8b38", 2)
    elif kind == "stripes":
        k.back("#0f4a5a")
        for i in range(9):
            k.rect(i * k.w / 8, 0, k.w / 16, g, "#13606f")
    elif kind == "wood":
        k.back("#4a2c1c")
        for i in range(12):
            k.rect(i * k.w / 11, 0, k.w / 11 - 2, g, mix("#6b3f26", "#7d4c2c", (i * 5 % 4) / 4))
    else:
        k.back("#3a1458", "#e0567a", "#ffb347")
        k.circle(k.w / 2, g, k.h * .5, "#ffd76a60")
    neon = pick(v, "#ffb020", "#5ac8fa", "#ff3d8b", "#3ddc84", "#ffd23f", "#ffffff")
    s = k.h * .13
    y = k.h * .2
    w = text_width(sign, "lilita", s)
    k.glow(k.w * .5, y - s * .3, w * .75, neon, .4)
    k.text(sign, k.w * .5, y, "lilita", s, light(neon, .6) if q.saw(2) < .93 else dark(neon, .4), "c", fade(neon, .85), s * .12)
    floor(k, g, pick(v, "#8a5a3c", "#5a2f2a", "#3a2a5c", "#6b4a36", "#8f6239", "#5a2350"))
    for i in range(9):
        k.line(i * k.w / 8, g, k.w / 2 + (i * k.w / 8 - k.w / 2) * 1.6, k.h, "#00000030", 2)
    if beams:
        for i, x in enumerate((.12, .88)):
            a = k.w * (.5 + (.03, -.03)[i])
            k.poly([(k.w * x, -10), (a - k.w * .17, g + k.h * .09), (a + k.w * .17, g + k.h * .09)], k.vgrad(0, g + k.h * .1, "#fff4c860", "#fff4c81c"))
        k.oval(k.w * .5, g + k.h * .085, k.w * .23, k.h * .055, "#fff4c858")


def heads_front(k, q, v=0, y=1.0):
    """The audience's heads along the bottom edge."""
    for i in range(11):
        x = k.w * (.02 + .097 * i)
        yy = k.h * y - k.h * .025 * q.hop(3 + i % 2, i * .17)
        c = mix("#0d0818", "#2a1838", (i * 3 % 5) / 6)
        k.circle(x, yy - k.h * .02, k.h * .068, c)
        k.rect(x - k.h * .1, yy + k.h * .03, k.h * .2, k.h * .2, c, k.h * .06)


def garden(k, q, v=0):
    k.back(*pick(v, ("#69b9f2", "#dff4fb"), ("#f79d65", "#ffe7b0"), ("#57a8e8", "#f7e3c0")))
    for i in range(3):
        with k.at(k.w * (.15 + .33 * i) + 14 * q.sin(1, i * .37), k.h * (.12 + .06 * (i % 2)), .6 * k.h / 270):
            P.cloud(k, "#ffffffc8")
    y = k.h * .44
    for x, s in ((.04, 1.2), (.3, .9), (.93, 1.25)):
        with k.at(k.w * x, k.h * .64, k.h / 190 * s):
            P.tree(k, pick(v, "#3f8a4a", "#5a9a3f", "#2f7f5a"))
    for i in range(int(k.w / 22) + 2):
        k.poly([(i * 22, k.h * .7), (i * 22, y + 6), (i * 22 + 9, y - 3), (i * 22 + 18, y + 6), (i * 22 + 18, k.h * .7)], pick(v, "#c98f5a", "#f4f0e6", "#a86f48"))
    k.rect(-20, k.h * .52, k.w + 40, 6, dark(pick(v, "#c98f5a", "#d9d2c2", "#a86f48"), .2))
    k.rect(-20, k.h * .68, k.w + 40, k.h, k.vgrad(k.h * .68, k.h, "#6dbb4a", "#4a9a3a"))
    for i in range(30):
        x, yy = (i * 61) % k.w, k.h * (.72 + .27 * ((i * 37) % 100) / 100)
        k.line(x, yy, x + 2, yy - 6, "#8fd668", 1.6)


def hall(k, q, v=0, sign="NEXT PLEASE"):
    wall = pick(v, "#d9e2d0", "#e6ddd0", "#cddbe3")
    k.back(light(wall, .2), wall)
    k.rect(-20, k.h * .44, k.w + 40, k.h * .34, dark(wall, .12))
    for i in range(4):
        x = k.w * (.04 + .245 * i)
        k.rect(x, k.h * .24, k.w * .2, k.h * .34, "#8d9aa8", 4)
        k.rect(x + 5, k.h * .26, k.w * .2 - 10, k.h * .24, "#c7e2f0", 3)
        k.rect(x + k.w * .02, k.h * .16, k.w * .16, k.h * .07, "#1d2030", 3)
        k.text(("CLOSED", "LUNCH", "OFFLINE", str(40 + v))[i], x + k.w * .1, k.h * .215, "bebas", k.h * .058, "#ff5a4d" if i < 3 else "#5ee08a", "c")
    floor(k, k.h * .77, "#b9b2a4")
    k.text(sign, k.w * .5, k.h * .11, "bebas", k.h * .09, "#6a4a3a", "c")


def aisle(k, q, v=0):
    k.back("#f4f7fa", "#d8e2ea")
    for j in range(4):
        y = k.h * (.24 + .16 * j)
        k.rect(-20, y, k.w + 40, 6, "#8f9caa")
        for i in range(22):
            hh = k.h * (.07 + .05 * ((i * 7 + j * 3 + v) % 3) / 2)
            k.rect(i * k.w / 21 - 8, y - hh, k.w / 26, hh, ("#e5484d", "#ffd23f", "#3ddc84", "#5ac8fa", "#b57bff", "#f28a2e", "#ffffff")[(i * 5 + j * 3 + v) % 7], 3)
        for i in range(7):
            k.rect(i * k.w / 6.5 + 6, y, 22, 9, "#fff3a0", 1)
    floor(k, k.h * .78, "#cfc7ba")


def beach(k, q, v=0):
    k.back(*pick(v, ("#4fb3f0", "#c8efff"), ("#ff9a6b", "#ffe3b0")))
    k.circle(k.w * .78, k.h * .2, k.h * .09, "#fff2b0")
    k.rect(-20, k.h * .42, k.w + 40, k.h * .3, k.vgrad(k.h * .42, k.h * .7, "#1f86c4", "#5cc9d8"))
    for i in range(5):
        y = k.h * (.47 + .05 * i)
        pts = [(x, y + 3 * math.sin(x / 18 + i + 2 * math.pi * q.p * (1 + i % 2))) for x in range(-20, int(k.w) + 40, 14)]
        k.spline(pts, "#ffffff90", 2, closed=False)
    k.spline([(-30, k.h * .74 + 4 * q.sin(2)), (k.w * .3, k.h * .7 + 5 * q.sin(2, .3)), (k.w * .7, k.h * .74 + 4 * q.sin(2, .6)), (k.w + 30, k.h * .7), (k.w + 30, k.h + 30), (-30, k.h + 30)], "#f3d9a0")
    with k.at(k.w * .14, k.h * .86, k.h / 260):
        P.umbrella(k, "#e5484d")


def veld(k, q, v=0, off=0.0, deco=True):
    a, b = pick(v, ("#f7a54a", "#ffe6a8"), ("#5ab5f0", "#e0f4fb"), ("#b04a6a", "#ffc48a"), ("#12163f", "#4a3f7f"))
    k.back(a, b)
    if v % 4 == 3:
        stars(k, 60, .6, 5, q)
    k.circle(k.w * .72, k.h * .4, k.h * .14, "#fff0b8" if v % 4 != 3 else "#f4f0dc")
    hills(k, k.h * .6, k.h * .18, mix(a, "#6a4a5a", .5), 9, off)
    hills(k, k.h * .68, k.h * .1, mix(b, "#7a6a3a", .6), 14, off * 2)
    floor(k, k.h * .68, pick(v, "#d9a441", "#b8b04a", "#a8683f", "#2f3550"))
    if deco:
        def t(i, x):
            with k.at(x, k.h * (.72 + .02 * (i % 2)), k.h / 240 * (1 + .2 * (i % 2))):
                (P.acacia if i % 2 else P.aloe)(k)
        scroll(k, off * 2, k.w / 2, t)
    def tuft(i, x):
        y = k.h * (.78 + .18 * ((i * 37) % 10) / 10)
        for d in (-4, 0, 4):
            k.line(x, y, x + d, y - 9, pick(v, "#8a6a20", "#5f7a2a", "#6a3a24", "#1c2038"), 2)
    scroll(k, off * 3, k.w / 12, tuft)


def berg(k, q, v=0, off=0.0, road=True):
    a, b = pick(v, ("#4aa8f0", "#d5f0fb"), ("#ff8f6b", "#ffe0b8"), ("#6a7fe0", "#f0d0e0"))
    k.back(a, b)
    for i in range(4):
        with k.at((k.w * .3 * i + 40 - q.p * k.w * 1.2) % (k.w * 1.2) - 40, k.h * (.1 + .06 * (i % 3)), .6 * k.h / 270):
            P.cloud(k, "#ffffffd0")
    top = [(k.w * x, k.h * h) for x, h in ((-.05, .6), (.08, .42), (.16, .36), (.2, .27), (.58, .26), (.63, .34), (.72, .4), (.8, .35), (.88, .46), (1.05, .58))]
    k.poly(top + [(k.w * 1.05, k.h), (-20, k.h)], mix("#5f6f96", b, .15))
    k.poly([(k.w * .2, k.h * .27), (k.w * .58, k.h * .26), (k.w * .56, k.h * .32), (k.w * .44, k.h * .36), (k.w * .4, k.h * .31), (k.w * .3, k.h * .38), (k.w * .26, k.h * .31)], mix("#8493b8", b, .2))
    hills(k, k.h * .66, k.h * .12, "#4f8f6a", 21, off)
    hills(k, k.h * .72, k.h * .08, "#3f7f4f", 8, off * 2)
    if road:
        k.rect(-20, k.h * .74, k.w + 40, k.h, "#c9a05a")
        k.rect(-20, k.h * .78, k.w + 40, k.h * .15, "#4a4d58")
        def dash(i, x):
            k.rect(x, k.h * .852, k.w / 16, 3.5, "#fff3b0")
        scroll(k, off * 4, k.w / 8, dash)


def rainy(k, q, v=0):
    street(k, q, v, sky=("#4a5878", "#8fa0b5"))
    k.back("#1a284860")
    P.rain(k, k.w, k.h, q.p * 4, 40)


def gym(k, q, v=0):
    k.back("#2a3142", "#3d4760")
    for i in range(3):
        k.rect(k.w * (.05 + .32 * i), k.h * .12, k.w * .27, k.h * .42, "#7f9ab0", 4)
        k.poly([(k.w * (.07 + .32 * i), k.h * .5), (k.w * (.17 + .32 * i), k.h * .14), (k.w * (.22 + .32 * i), k.h * .14), (k.w * (.12 + .32 * i), k.h * .5)], "#ffffff28")
    floor(k, k.h * .76, "#4a3f3a")
    for i in range(4):
        x = k.w * (.1 + .27 * i)
        k.line(x - 16, k.h * .72, x + 16, k.h * .72, "#c9ced8", 4)
        for sx in (-1, 1):
            k.rect(x + sx * 18 - 5, k.h * .67, 10, k.h * .1, "#e5484d", 3)


def marquee(k, q, v=0):
    c = pick(v, "#fff1f4", "#f4f0ff", "#fff7e0")
    k.back(c, dark(c, .08))
    a = pick(v, "#f3a6bd", "#b79be8", "#f0b84a")
    for i in range(9):
        x = k.w * i / 8
        k.poly([(k.w / 2, -k.h * .15), (x - k.w / 16, k.h * .3), (x + k.w / 16, k.h * .3)], a if i % 2 else light(a, .55))
    for i in range(9):
        k.oval(k.w * i / 8, k.h * .3, k.w / 16, k.h * .06, a if i % 2 else light(a, .55))
    for i in range(14):
        x = k.w * i / 13
        on = q.sin(2, i * .25) > -.2
        k.circle(x, k.h * (.38 + .03 * math.sin(i * 1.3)), 3.4, "#ffe27a" if on else "#d9b85a")
    floor(k, k.h * .76, "#c9a884")
    for x in (.06, .94):
        k.rect(k.w * x - 5, k.h * .3, 10, k.h * .5, "#ffffff")
        for i in range(6):
            k.circle(k.w * x + (i % 2) * 12 - 6, k.h * (.32 + .05 * i), 8, ("#e5677d", "#ffffff", "#6dbb4a")[i % 3])


def salon(k, q, v=0):
    w = pick(v, "#2f9e9a", "#c4478a", "#e0a52e")
    k.back(light(w, .5), light(w, .3))
    for i in range(2):
        k.rect(k.w * (.1 + .45 * i), k.h * .12, k.w * .34, k.h * .42, "#ffffff", 10)
        k.rect(k.w * (.115 + .45 * i), k.h * .145, k.w * .31, k.h * .37, k.vgrad(0, k.h * .5, "#cfeaf4", "#f4fbfd"), 8)
    k.rect(-20, k.h * .58, k.w + 40, k.h * .04, dark(w, .3))
    for i in range(9):
        k.rect(k.w * (.06 + .11 * i), k.h * .5, k.w * .03, k.h * .08, ("#ff5d73", "#ffd23f", "#5ac8fa")[i % 3], 3)
    floor(k, k.h * .76, "#3a3440")
    for i in range(8):
        for j in range(3):
            if (i + j) % 2:
                k.rect(k.w * i / 8, k.h * (.76 + .08 * j), k.w / 8, k.h * .08, "#f4f0f4")


def studio(k, q, v=0, title="NEWS"):
    a = pick(v, "#0f2f6b", "#6a1238", "#0f5a4f", "#3a1d6b")
    k.back(dark(a, .25), a)
    for i in range(9):
        x = (k.w * i / 8 + q.p * k.w / 8) - 20
        k.poly([(x, 0), (x + 30, 0), (x - 60, k.h), (x - 90, k.h)], fade(light(a, .5), .12))
    k.rect(k.w * .56, k.h * .1, k.w * .38, k.h * .4, light(a, .12), 6)
    k.circle(k.w * .75, k.h * .3, k.h * .15, light(a, .35), 2)
    for i in range(3):
        rx = k.h * .15 * abs(q.cos(1, i / 6))
        k.oval(k.w * .75, k.h * .3, rx, k.h * .15, light(a, .35), stroke=1.6)
    for y in (-.07, 0, .07):
        k.line(k.w * .75 - k.h * .135, k.h * (.3 + y), k.w * .75 + k.h * .135, k.h * (.3 + y), light(a, .35), 1.6)
    k.text(title, k.w * .75, k.h * .335, "anton", k.h * .1, "#ffffff", "c")


def city(k, q, v=0, off=0.0):
    a, b = pick(v, ("#0b0d2e", "#5a2a6b"), ("#141a4a", "#e0587a"), ("#0a1a33", "#2f6f8a"))
    k.back(a, b)
    stars(k, 40, .45, 7, q)
    k.circle(k.w * .2, k.h * .2, k.h * .08, "#f7f0d0")
    k.circle(k.w * .22, k.h * .185, k.h * .075, mix(a, b, .2))
    for layer, (c, sc) in enumerate(((mix(a, b, .5), .5), (dark(mix(a, b, .3), .3), 1.0))):
        def tower(i, x):
            h = k.h * (.16 + .1 * ((i * 7 + layer * 3) % 5) / 2 + .06 * layer * (i % 2))
            k.rect(x, k.h * .74 - h, k.w / 9 - 4, h + 4, c)
            if (i + layer) % 4 == 2:
                k.rect(x + k.w / 22, k.h * .74 - h - k.h * .14, 6, k.h * .14, c)
                k.oval(x + k.w / 22 + 3, k.h * .74 - h - k.h * .14, 13, 9, c)
            if layer:
                for m in range(int(h / 11)):
                    for n in range(3):
                        if (i * 5 + m * 3 + n * 7) % 4:
                            k.rect(x + 6 + n * 12, k.h * .74 - h + 6 + m * 11, 6, 5, "#ffdf8a" if (i + m + n) % 3 else "#8ad0ff")
        scroll(k, off * sc, k.w / 9, tower)
    floor(k, k.h * .74, dark(a, .35))


def hospital(k, q, v=0):
    k.back("#dff1f2", "#bfdfe3")
    for i in range(3):
        k.rect(k.w * (.08 + .32 * i), k.h * .24, k.w * .18, k.h * .52, "#9ccbd0", 3)
        k.rect(k.w * (.13 + .32 * i), k.h * .32, k.w * .08, k.h * .14, "#eafafc", 3)
    k.rect(-20, k.h * .56, k.w + 40, k.h * .035, "#5fa8b0")
    for i in range(4):
        k.rect(k.w * (.03 + .27 * i), k.h * .04, k.w * .18, k.h * .045, "#ffffff", 4)
    k.rect(k.w * .43, k.h * .1, k.w * .14, k.h * .1, "#ffffff", 4)
    k.rect(k.w * .487, k.h * .115, k.w * .026, k.h * .07, "#e5484d")
    k.rect(k.w * .465, k.h * .136, k.w * .07, k.h * .028, "#e5484d")
    floor(k, k.h * .76, "#a9c4c4")


def disco(k, q, v=0):
    a, b = pick(v, ("#1a0b3d", "#5a1470"), ("#06233d", "#0f6a7a"), ("#3a0b24", "#a3243a"), ("#1d1a0b", "#7a5a14"))
    k.back(a, b)
    cs = pick(v, ("#ff3d8b", "#5ac8fa", "#ffd23f"), ("#3ddc84", "#5ac8fa", "#ffffff"), ("#ffb020", "#ff5d73", "#ffe27a"), ("#ffd23f", "#ff8a1f", "#ffffff"))
    for i in range(6):
        x = k.w * (.08 + .17 * i)
        a_ = x + k.w * .2 * q.sin(1 + i % 2, i * .19)
        k.poly([(x, -5), (a_ - 40, k.h), (a_ + 40, k.h)], k.vgrad(0, k.h, fade(cs[i % 3], .45), fade(cs[i % 3], 0)))
    floor(k, k.h * .78, dark(a, .2))
    for i in range(10):
        for j in range(3):
            on = (i * 3 + j * 5 + int(q.p * 16)) % 5 == 0
            k.poly([(k.w * i / 10, k.h * (.78 + .08 * j)), (k.w * (i + 1) / 10 - 2, k.h * (.78 + .08 * j)), (k.w * (i + 1) / 10 - 2, k.h * (.855 + .08 * j)), (k.w * i / 10, k.h * (.855 + .08 * j))], fade(cs[(i + j) % 3], .75 if on else .14))


def equaliser(k, q, v, x, y, w, h, c, n=18):
    for i in range(n):
        a = .3 + .7 * abs(q.sin(2 + (i * 5 + v) % 5, i * .137))
        k.rect(x + w * i / n, y - h * a, w / n * .7, h * a, c, 2)


def toyland(k, q, v=0):
    a, b = pick(v, ("#5ec8ff", "#d8f6ff"), ("#ffb3d1", "#fff0f6"), ("#ffe27a", "#fff8dc"), ("#8fe0b8", "#eafff4"), ("#b9a4ff", "#f0eaff"), ("#1c1f5a", "#5a4fc0"))
    k.back(a, b)
    if v % 6 == 5:
        stars(k, 50, .7, 3, q)
    elif v % 6 != 1:
        with k.at(k.w * .86, k.h * .2, k.h / 330):
            P.sun(k, 36, q.p, "happy")
    else:
        for i, c in enumerate(("#ff5d73", "#ffb020", "#ffe27a", "#3ddc84", "#5ac8fa", "#b57bff")):
            k.arc(k.w * .5, k.h * .78, k.w * .42 - i * 9, k.h * .62 - i * 9, 180, 180, c, 9.5)
    for i in range(3):
        with k.at(k.w * (.16 + .34 * i) + 12 * q.sin(1, i * .3), k.h * (.18 + .07 * (i % 2)), .5 * k.h / 270):
            P.cloud(k, "#ffffffd8", face="happy" if i == 1 else None)
    hills(k, k.h * .72, k.h * .16, pick(v, "#6fd07a", "#ff9ec4", "#ffc24b", "#4fbf8a", "#8a70f0", "#3a2f8a"), 17 + v)
    hills(k, k.h * .84, k.h * .1, pick(v, "#4fb562", "#f27fae", "#f2a93b", "#38a876", "#7258dc", "#2a2068"), 30 + v)


def turf(k, q, v=0, off=0.0, rails=True, crowd_on=True):
    """A racecourse from the side; off 0..1 scrolls one whole width at the far rail."""
    a, b = pick(v, ("#4fb0f0", "#dff3fb"), ("#f58a5b", "#ffe2a8"), ("#1a2150", "#6a4a8f"), ("#8fb8d8", "#eef3f2"), ("#ff9fb0", "#ffe9c8"), ("#2a8ad0", "#bfe8f7"))
    k.back(a, b)
    night = v % 6 == 2
    if night:
        stars(k, 40, .3, 5, q)
    else:
        for i in range(3):
            with k.at((k.w * .4 * i + 30 - off * k.w) % (k.w * 1.2) - 50, k.h * (.09 + .05 * (i % 2)), .5 * k.h / 270):
                P.cloud(k, "#ffffffc0")
    hills(k, k.h * .4, k.h * .14, mix(b, "#5a7f6a", .5) if not night else "#252a58", 6, off)
    def tree(i, x):
        with k.at(x, k.h * .47, k.h / 330 * (1 + .25 * (i % 2))):
            P.tree(k, pick(i + v, "#2f7a44", "#3f8f4a", "#5a9a3f") if not night else "#1f4a44")
    scroll(k, off * 2, k.w / 6, tree)
    if crowd_on:
        def stand(i, x):
            if i % 3 == 0:
                k.rect(x, k.h * .24, k.w * .3, k.h * .24, "#e9eef4" if not night else "#454f7f")
                k.rect(x - 6, k.h * .21, k.w * .32, k.h * .045, pick(v, "#c8434e", "#2f7f5a", "#2f5fa0"))
                for j in range(4):
                    for m in range(11):
                        k.circle(x + 8 + m * k.w * .027, k.h * (.295 + .045 * j), 3, ("#e5484d", "#ffd23f", "#3a5fa0", "#7b4b2e", "#ffffff")[(m * 3 + j * 2) % 5])
        scroll(k, off * 2, k.w / 3, stand)
    g = pick(v, "#4aa64a", "#5f9e3f", "#2f7a52", "#6aa858", "#55a84f", "#3f9e55")
    k.rect(-20, k.h * .47, k.w + 40, k.h, k.vgrad(k.h * .47, k.h, light(g, .1), dark(g, .12)))
    def stripe(i, x):
        if i % 2:
            k.poly([(x, k.h * .55), (x + k.w / 8, k.h * .55), (x + k.w / 8 - k.w * .12, k.h + 10), (x - k.w * .12, k.h + 10)], fade(light(g, .35), .3))
    scroll(k, off * 4, k.w / 8, stripe)
    if rails:
        k.line(-20, k.h * .515, k.w + 20, k.h * .515, "#ffffff", 3.5)
        def post(i, x):
            k.line(x, k.h * .515, x - 5, k.h * .56, "#ffffff", 3)
        scroll(k, off * 3, k.w / 8, post)


def near_rail(k, off):
    k.rect(-20, k.h * .885, k.w + 40, k.h * .028, "#ffffff")
    k.rect(-20, k.h * .908, k.w + 40, 3, "#c9d0d8")
    def post(i, x):
        k.rect(x, k.h * .9, k.h * .025, k.h * .12, "#ffffff")
    scroll(k, off, k.w / 4, post)


def stable(k, q, v=0):
    c = pick(v, "#8a4f33", "#7a5a3c", "#5a3f4f", "#3f5a5a")
    k.back(dark(c, .2), dark(c, .4))
    for i in range(int(k.w / 26) + 2):
        k.rect(i * 26, 0, 24, k.h, mix(c, dark(c, .2), (i * 3 % 4) / 4))
    k.rect(-20, k.h * .05, k.w + 40, k.h * .07, dark(c, .45))
    floor(k, k.h * .84, "#d9b45f")
    for i in range(40):
        x, y = (i * 53) % k.w, k.h * (.85 + .14 * ((i * 29) % 10) / 10)
        k.line(x, y, x + 12, y - 3 + (i % 3) * 3, "#f0d486", 2)


def paddock(k, q, v=0):
    turf(k, q, v, 0, rails=False, crowd_on=False)
    for y in (.5, .57):
        k.line(-20, k.h * y, k.w + 20, k.h * y, "#ffffff", 4)
    for i in range(9):
        k.line(k.w * i / 8, k.h * .46, k.w * i / 8, k.h * .64, "#ffffff", 5)
    for i in range(26):
        x = (i * 47) % k.w
        k.circle(x, k.h * .645 + (i % 3) * 3, 5, ("#e5677d", "#ffd23f", "#ffffff", "#b57bff")[i % 4])
        k.circle(x + 6, k.h * .655, 4, "#3f8f4a")


ALL = {f.__name__: f for f in (lounge, dark_lounge, kitchen, bedroom, street, rank, taxi_in, spaza, classroom, office, pitch, topdown, stage,
                               garden, hall, aisle, beach, veld, berg, rainy, gym, marquee, salon, studio, city, hospital, disco, toyland, turf, stable, paddock)}
