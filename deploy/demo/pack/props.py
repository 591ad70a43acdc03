"""Things people hold, sit on, argue with and eat. Each stands at (0,0), y upwards negative, about 100 units tall unless said."""
import math

from .draw import dark, fade, fit, light, skia, svg_path, text_width


def taxi(k, c="#f7f7f2", stripe="#2f6fde", sign="LOCAL", spin=0.0, lights=False, faces=()):
    """A minibus taxi seen from the side, 300 wide."""
    k.oval(0, 2, 165, 9, "#00000040")
    k.path("M -150,-20 L -150,-88 Q -148,-112 -122,-114 L 70,-114 Q 96,-114 112,-92 L 128,-66 Q 150,-60 152,-42 L 152,-20 Z", c)
    k.path("M -150,-20 L -150,-34 L 152,-34 L 152,-20 Z", dark(c, .3))
    k.rect(-150, -60, 290, 12, stripe)
    k.rect(-150, -46, 296, 4, light(stripe, .3))
    for x, w in ((-138, 52), (-80, 52), (-22, 52)):
        k.rect(x, -104, w, 38, "#22344a", 7)
        k.rect(x + 4, -100, w - 8, 12, "#6f90b055", 5)
    k.path("M 36,-104 L 70,-104 Q 88,-103 100,-86 L 110,-66 L 36,-66 Z", "#22344a")
    for i, f in enumerate(faces):
        with k.clip_rect(-138 + 58 * i, -104, 52, 38, 7):
            with k.at(-112 + 58 * i, -80, 16):
                f(k)
    k.line(-84, -108, -84, -26, dark(c, .2), 2)
    k.line(30, -108, 30, -26, dark(c, .2), 2)
    k.rect(16, -58, 10, 3, dark(c, .5))
    k.rect(141, -56, 12, 14, "#fff0b0", 4)
    k.rect(-152, -58, 6, 18, "#e23b3b", 3)
    if lights:
        k.poly([(150, -52), (330, -85), (330, 0)], k.hgrad(150, 330, "#fff3b080", "#fff3b000"))
    k.rect(-60, -128, 84, 16, "#ffd23f", 4)
    k.text(sign, -18, -115, "bebas", 15, "#1a1a1a", "c")
    for x in (-92, 92):
        k.circle(x, -18, 25, "#16161c")
        k.circle(x, -18, 13, "#c9ccd4")
        with k.at(x, -18, rot=spin * 360):
            for i in range(5):
                a = i * 1.2566
                k.line(0, 0, 11 * math.cos(a), 11 * math.sin(a), "#6a6f7c", 3)
        k.circle(x, -18, 4, "#3a3d46")


def bakkie(k, c="#d6452f", spin=0.0):
    k.oval(0, 2, 150, 8, "#00000040")
    k.path("M -140,-22 L -140,-62 L -20,-62 L -4,-98 Q 0,-104 10,-104 L 60,-104 Q 70,-104 76,-94 L 90,-66 Q 132,-62 136,-46 L 136,-22 Z", c)
    k.rect(-140, -66, 120, 8, dark(c, .25))
    k.path("M 6,-96 L 34,-96 L 34,-66 L -8,-66 Z", "#22344a")
    k.path("M 40,-96 L 60,-96 Q 66,-95 72,-84 L 80,-66 L 40,-66 Z", "#22344a")
    k.rect(126, -56, 12, 12, "#fff0b0", 4)
    for x in (-86, 86):
        k.circle(x, -20, 25, "#16161c")
        k.circle(x, -20, 12, "#c9ccd4")
        with k.at(x, -20, rot=spin * 360):
            for i in range(4):
                a = i * 1.57
                k.line(0, 0, 10 * math.cos(a), 10 * math.sin(a), "#6a6f7c", 3)


def candle(k, t=0.0):
    k.glow(0, -78, 90, "#ffb648", .55)
    k.rect(-20, -6, 40, 6, "#8d99ae", 3)
    k.rect(-10, -56, 20, 52, "#fff4dc", 4)
    k.spline([(-10, -54), (-12, -40), (-7, -42)], "#fffaf0")
    k.line(0, -56, 0, -62, "#3a2a1a", 2)
    flame(k, 0, -60, 26, t)


def flame(k, x, y, h, t=0.0, c1="#ff8a1f", c2="#ffe27a"):
    s = math.sin(t * 6.28) * h * .08
    k.spline([(x - h * .26, y - h * .25), (x, y + 1), (x + h * .26, y - h * .25), (x + s, y - h)], c1)
    k.spline([(x - h * .13, y - h * .18), (x, y), (x + h * .13, y - h * .18), (x + s * .6, y - h * .58)], c2)


def kettle(k, steam=None):
    k.path("M -34,0 L -40,-56 Q -36,-84 0,-86 Q 36,-84 40,-56 L 34,0 Z", "#d8dde6")
    k.path("M 12,0 L 18,-85 Q 36,-82 40,-56 L 34,0 Z", "#aeb6c4")
    k.rect(-38, -8, 76, 10, "#2a2d38", 4)
    k.path("M -36,-58 L -66,-72 L -62,-62 L -36,-40 Z", "#c2c9d4")
    k.arc(30, -52, 30, 34, -80, 190, "#2a2d38", 10)
    k.circle(0, -90, 7, "#2a2d38")
    k.circle(0, -22, 4, "#ff5a3c")
    if steam is not None:
        wisps(k, -66, -78, steam)


def wisps(k, x, y, t, c="#ffffff", n=3, h=60):
    for i in range(n):
        q = (t + i / n) % 1
        k.spline([(x - 6 + i * 6, y - q * h), (x + 8 * math.sin(q * 6 + i) + i * 5, y - q * h - 12), (x + i * 6, y - q * h - 26)], fade(c, .55 * (1 - q)), 5, closed=False)


def pot(k, c="#c8434e", lid=0.0):
    k.rect(-52, -62, 104, 62, c, 10)
    k.rect(-52, -62, 104, 12, light(c, .2), 4)
    for sx in (-1, 1):
        k.rect(sx * 60 - 9, -50, 18, 12, dark(c, .4), 5)
    with k.at(0, -64 - lid * 7, rot=lid * 3):
        k.path("M -56,0 Q 0,-34 56,0 Z", dark(c, .18))
        k.circle(0, -21, 8, dark(c, .5))


def potjie(k, t=0.0):
    for i in range(5):
        flame(k, -40 + i * 20, 4, 30 + 10 * (i % 2), t + i * .21)
    for sx in (-1, 1):
        k.limb([(sx * 34, -30), (sx * 48, 2)], "#18181d", 9)
    k.oval(0, -52, 62, 46, "#24242b")
    k.oval(-22, -62, 16, 22, "#3b3b45")
    k.rect(-50, -100, 100, 12, "#2f2f37", 5)
    k.path("M -46,-100 Q 0,-128 46,-100 Z", "#24242b")
    k.circle(0, -118, 7, "#4a4a55")
    k.arc(0, -92, 66, 60, 200, 140, "#4a4a55", 4)


def braai(k, t=0.0, lit=True, food=True):
    for sx in (-1, 1):
        k.limb([(sx * 40, -40), (sx * 58, 0)], "#2d2d35", 7)
    k.path("M -80,-66 L 80,-66 Q 66,-24 0,-24 Q -66,-24 -80,-66 Z", "#3a3a44")
    k.path("M -80,-66 L 80,-66 Q 76,-54 70,-50 L -70,-50 Q -76,-54 -80,-66 Z", "#52525e")
    if lit:
        k.glow(0, -74, 100, "#ff7a2a", .5)
        for i in range(8):
            flame(k, -62 + i * 18, -62, 26 + 12 * ((i * 7) % 3), t + i * .17)
    k.line(-84, -70, 84, -70, "#c5c8d0", 4)
    if food:
        wors(k, -36, -78)
        for x in (20, 54):
            k.spline([(x - 18, -74), (x - 10, -86), (x + 12, -84), (x + 16, -74)], "#8a4a2a")
            k.line(x - 8, -82, x - 2, -76, "#5a2c18", 3)


def wors(k, x, y, s=1.0):
    pts = [(x + s * (4 + i * 1.6) * math.cos(i * .62), y + s * (2 + i * .5) * math.sin(i * .62)) for i in range(18)]
    k.limb(pts, "#9a4a2c", 8 * s)
    k.limb([(p[0], p[1] - 1.5) for p in pts], "#c26a40", 2.5 * s)


def plate(k, kind="pap"):
    k.oval(0, -6, 74, 22, "#e9edf2")
    k.oval(0, -9, 58, 15, "#ffffff")
    if kind == "pap":
        k.spline([(-44, -10), (-34, -40), (-6, -44), (8, -12)], "#fffdf4")
        k.spline([(2, -10), (14, -26), (40, -22), (46, -8)], "#d2502c")
        wors(k, 16, -32, .9)
    elif kind == "bunny":
        k.rect(-36, -64, 72, 54, "#d99a4e", 8)
        k.rect(-30, -70, 60, 16, "#f4d9a4", 6)
        k.oval(0, -64, 26, 10, "#c25a1e")
        for x in (-12, 2, 14):
            k.circle(x, -66, 7, "#e08a2e")
        k.rect(24, -84, 34, 26, "#e7b46a", 6)
    elif kind == "kota":
        k.rect(-42, -50, 84, 42, "#e0a95c", 10)
        k.rect(-44, -58, 88, 14, "#8ac24a", 6)
        k.rect(-44, -66, 88, 12, "#f6c945", 4)
        k.rect(-42, -78, 84, 14, "#c8574a", 6)
        for i in range(8):
            k.rect(-36 + i * 9, -96 + (i * 5) % 11, 6, 24, "#ffd76a", 2)
    elif kind == "vetkoek":
        for x, y in ((-30, -16), (24, -14), (-2, -38)):
            k.oval(x, y, 27, 19, "#d48a3a")
            k.oval(x - 6, y - 7, 12, 6, "#eab265")
    elif kind == "cake":
        k.rect(-42, -40, 84, 34, "#f7c4cf", 8)
        k.rect(-30, -66, 60, 28, "#fff2e2", 8)
        for i in range(7):
            k.circle(-36 + i * 12, -40, 7, "#ffffff")
    elif kind == "malva":
        k.rect(-44, -36, 88, 28, "#b5652a", 8)
        k.spline([(-46, -34), (-20, -48), (16, -44), (46, -34), (40, -18), (20, -26), (0, -16), (-24, -26)], "#fbe6a6")
    elif kind == "salad":
        for i in range(11):
            k.circle(-36 + i * 7, -16 - (i * 13) % 17, 10, ["#6dbb4a", "#e2483a", "#9ad06a", "#f3d34a"][i % 4])


def phone(k, draw=None, c="#15151d", screen="#eaf2ff", w=64, h=120):
    k.rect(-w / 2, -h, w, h, c, 11)
    k.rect(-w / 2 + 4, -h + 8, w - 8, h - 16, screen, 6)
    if draw:
        with k.clip_rect(-w / 2 + 4, -h + 8, w - 8, h - 16, 6):
            draw(k)


def tv(k, draw=None, c="#17171f"):
    k.rect(-86, -112, 172, 104, c, 7)
    k.rect(-80, -106, 160, 92, "#2d4f7a", 3)
    if draw:
        with k.clip_rect(-80, -106, 160, 92):
            draw(k)
    k.rect(-30, -9, 60, 9, c, 3)


def router(k, on=True):
    k.rect(-46, -24, 92, 24, "#2b2e3a", 6)
    for x in (-32, 32):
        k.rect(x - 3, -74, 6, 54, "#3b3f4e", 3)
    for i in range(4):
        k.circle(-26 + i * 16, -12, 4, ("#54e08a" if on else "#ff4d4d" if i == 0 else "#444a5a"))
    if on:
        for r in (18, 32, 46):
            k.arc(0, -62, r, r, 215, 110, "#7fd0ff", 5)


def bulb(k, on=True):
    if on:
        k.glow(0, -60, 90, "#ffe27a", .7)
    k.circle(0, -62, 30, "#ffe98f" if on else "#8c90a0")
    k.rect(-12, -36, 24, 22, "#b9bdc9", 4)
    for y in (-32, -25):
        k.line(-12, y, 12, y, "#7a7f8e", 2)
    k.rect(-6, -14, 12, 6, "#4b4f5c", 2)


def fridge(k, c="#e6ecf2", open_=0.0):
    k.rect(-44, -178, 88, 178, c, 10)
    k.rect(-44, -120, 88, 4, dark(c, .25))
    for y in (-150, -104):
        k.rect(-36, y, 6, 26, dark(c, .5), 3)
    if open_:
        k.rect(-40, -114, 80, 108, "#fff7d6")
        for y in (-80, -44):
            k.line(-40, y, 40, y, "#c8ced8", 3)
        k.rect(-20, -92, 14, 12, "#59b54a", 3)
        k.circle(14, -52, 7, "#e2483a")
    else:
        k.rect(6, -96, 24, 18, "#ffd23f", 2)
        k.rect(10, -164, 20, 16, "#ff6f91", 2)


def sofa(k, c="#7a5cc4"):
    k.rect(-140, -96, 280, 70, c, 22)
    k.line(0, -92, 0, -40, dark(c, .2), 3)
    k.rect(-134, -52, 268, 42, light(c, .1), 14)
    for sx in (-1, 1):
        k.rect(sx * 146 - 20, -74, 40, 68, dark(c, .14), 16)
        k.rect(sx * 120 - 5, -8, 10, 10, "#4a3426")


def chair(k, c="#ffffff"):
    k.path("M -32,-92 Q 0,-102 32,-92 L 28,-46 L -28,-46 Z", c)
    for x in (-14, 0, 14):
        k.line(x, -88, x, -52, dark(c, .2), 4)
    k.rect(-34, -50, 68, 12, dark(c, .08), 5)
    for sx in (-1, 1):
        k.limb([(sx * 28, -40), (sx * 34, 0)], dark(c, .12), 8)
        k.limb([(sx * 34, -78), (sx * 40, -46)], c, 8)


def laptop(k, draw=None):
    k.path("M -50,-68 L 50,-68 L 44,-6 L -44,-6 Z", "#2b2e3a")
    k.rect(-43, -62, 86, 52, "#bfe0ff", 3)
    if draw:
        with k.clip_rect(-43, -62, 86, 52, 3):
            draw(k)
    k.path("M -46,-6 L 46,-6 L 60,2 L -60,2 Z", "#c9ced8")


def clock(k, hour=7, minute=0, c="#ffffff", rim="#c33b3b"):
    k.circle(0, 0, 34, rim)
    k.circle(0, 0, 28, c)
    for i in range(12):
        a = i * math.pi / 6
        k.circle(23 * math.cos(a), 23 * math.sin(a), 1.8, "#33343c")
    a = math.radians(hour * 30 + minute / 2 - 90)
    k.line(0, 0, 13 * math.cos(a), 13 * math.sin(a), "#22232b", 4)
    a = math.radians(minute * 6 - 90)
    k.line(0, 0, 20 * math.cos(a), 20 * math.sin(a), "#22232b", 3)


def sun(k, r=40, spin=0.0, face=None, c="#ffc93c"):
    k.glow(0, 0, r * 2.6, c, .5)
    with k.at(0, 0, rot=spin * 30):
        for i in range(12):
            a = i * math.pi / 6
            k.poly([(r * 1.12 * math.cos(a - .12), r * 1.12 * math.sin(a - .12)), (r * 1.5 * math.cos(a), r * 1.5 * math.sin(a)),
                    (r * 1.12 * math.cos(a + .12), r * 1.12 * math.sin(a + .12))], c)
    k.circle(0, 0, r, c)
    if face:
        face_on(k, r, face)


def face_on(k, r, kind):
    for sx in (-1, 1):
        k.circle(sx * r * .35, -r * .1, r * .12, "#3a2410")
        k.circle(sx * r * .55, r * .18, r * .14, "#ff6b5a60")
        if kind in ("evil", "angry"):
            k.line(sx * r * .55, -r * .42, sx * r * .18, -r * .25, "#3a2410", r * .1)
    if kind in ("sad",):
        k.arc(0, r * .55, r * .3, r * .22, 200, 140, "#3a2410", r * .1)
    else:
        k.arc(0, r * .15, r * .38, r * .32, 20, 140, "#3a2410", r * .1)


def cloud(k, c="#ffffff", s=1.0, face=None):
    solid, alpha = (c[:7], int(c[7:9], 16) / 255) if len(c) == 9 else (c, 1)
    with k.layer(alpha):
        for x, y, r in ((-40, 0, 26), (-12, -18, 34), (26, -8, 30), (48, 4, 20)):
            k.circle(x * s, y * s, r * s, solid)
        k.rect(-58 * s, 0, 122 * s, 25 * s, solid, 12 * s)
        if face:
            with k.at(0, -4 * s):
                face_on(k, 30 * s, face)


def umbrella(k, c="#e5484d", c2="#ffffff"):
    """Handle at (0,0), canopy above."""
    k.line(0, 6, 0, -86, "#3a3a44", 4)
    p = svg_path("M -78,-80 Q 0,-172 78,-80 Q 65,-90 52,-80 Q 39,-90 26,-80 Q 13,-90 0,-80 Q -13,-90 -26,-80 Q -39,-90 -52,-80 Q -65,-90 -78,-80 Z")
    k.path(p, c)
    with k.clip(p):
        k.poly([(0, -140), (-26, -74), (26, -74)], c2)


def ball(k, r=14, spin=0.0, c="#ffffff"):
    k.circle(0, 0, r, c)
    p = skia.Path()
    p.addCircle(0, 0, r)
    with k.clip(p), k.at(0, 0, rot=spin * 360):
        k.poly([(r * .36 * math.cos(i * 1.2566), r * .36 * math.sin(i * 1.2566)) for i in range(5)], "#1c1d26")
        for i in range(5):
            a = i * 1.2566
            x, y = r * .95 * math.cos(a), r * .95 * math.sin(a)
            k.line(r * .36 * math.cos(a), r * .36 * math.sin(a), x * .75, y * .75, "#1c1d26", r * .07)
            k.circle(x, y, r * .27, "#1c1d26")
    k.circle(0, 0, r, "#00000035", stroke=r * .08)


def vuvuzela(k, c="#f2b632"):
    """Mouth piece at (0,0), pointing right and up."""
    k.poly([(0, -3), (100, -44), (122, -22), (4, 4)], c)
    k.oval(111, -33, 9, 18, dark(c, .3), rot=-42)


def trophy(k, c="#f6c945"):
    k.path("M -30,-98 L 30,-98 Q 30,-50 8,-42 L 8,-24 L 22,-16 L -22,-16 L -8,-24 L -8,-42 Q -30,-50 -30,-98 Z", c)
    k.path("M 6,-98 L 30,-98 Q 30,-50 8,-42 L 2,-44 Q 12,-60 6,-98 Z", dark(c, .18))
    for sx in (-1, 1):
        k.arc(sx * 32, -78, 15, 18, -90 if sx > 0 else 90, 180, c, 6)
    k.rect(-28, -16, 56, 16, "#5a3a22", 3)
    k.rect(-14, -12, 28, 8, "#f9e7a8", 2)


def goalposts(k, w=200, h=100):
    for i in range(int(w / 14) + 1):
        k.line(-w / 2 + i * 14, -h, -w / 2 + i * 14 * .9 + w * .05, -8, "#ffffff55", 1.2)
    for j in range(int(h / 14) + 1):
        k.line(-w / 2, -h + j * 14, w / 2, -h + j * 14, "#ffffff55", 1.2)
    k.limb([(-w / 2, 0), (-w / 2, -h), (w / 2, -h), (w / 2, 0)], "#ffffff", 6)


def bubble(k, text, w=120, c="#ffffff", ink="#1b1b26", name="lilita", size=22, tail=-1, lines=2, thought=False):
    """A speech bubble whose tail points down to (0,0); tail -1 leans left, 1 right."""
    rows, size = fit(text, name, w - 22, lines, size, 9)
    h = len(rows) * size * 1.08 + 18
    x = -tail * w * .22
    if thought:
        for q, r in ((.15, 4), (.5, 6.5)):
            k.circle(x * q * .6, -4 - 18 * q, r, c)
        k.rect(x - w / 2, -h - 22, w, h, c, h * .45)
    else:
        k.poly([(0, 0), (x * .3 - 4, -22), (x * .3 + 22 * (1 if x > 0 else -1), -22)], c)
        k.rect(x - w / 2, -h - 18, w, h, c, 14)
    y = -h - (22 if thought else 18) + 9 + size * .86
    for r in rows:
        k.text(r, x, y, name, size, ink, "c")
        y += size * 1.08


def board(k, text, w=120, c="#fdf6e3", ink="#2a2118", name="bebas", size=30, post=True, lines=3, h=None):
    """A sign board standing on a post at (0,0)."""
    rows, size = fit(text, name, w - 14, lines, size, 8)
    h = h or len(rows) * size * 1.02 + 14
    if post:
        k.rect(-4, -70, 8, 70, "#7a5a3a")
    y0 = -70 - h + 12 if post else -h
    k.rect(-w / 2, y0, w, h, c, 5)
    k.rect(-w / 2 + 3, y0 + 3, w - 6, h - 6, fade(ink, .5), 4, stroke=1.6)
    y = y0 + (h - len(rows) * size * 1.02) / 2 + size * .86
    for r in rows:
        k.text(r, 0, y, name, size, ink, "c")
        y += size * 1.02


def paper(k, text="", c="#ffffff", ink="#d0342c", w=60, h=78, size=30, rows=6):
    k.rect(-w / 2, -h, w, h, c, 2)
    for i in range(rows):
        k.line(-w / 2 + 7, -h + 14 + i * 10, w / 2 - 7 - (12 if i % 3 == 2 else 0), -h + 14 + i * 10, "#b8c2d4", 2)
    if text:
        with k.at(0, -h * .42, rot=-12):
            k.text(text, 0, size * .35, "bangers", size, ink, "c")


def note(k, text="R10", c="#6fbf73"):
    k.rect(-34, -18, 68, 36, c, 4)
    k.rect(-30, -14, 60, 28, dark(c, .2), 3, stroke=1.5)
    k.circle(-14, 0, 9, light(c, .35))
    k.text(text, 12, 7, "anton", 18, dark(c, .65), "c")


def coin(k, text="R5", r=14, c="#e8c155"):
    k.circle(0, 0, r, dark(c, .25))
    k.circle(0, 0, r * .84, c)
    k.text(text, 0, r * .35, "anton", r * .9, dark(c, .6), "c")


def loaf(k):
    k.path("M -46,0 L -46,-30 Q -56,-54 -26,-54 L 26,-54 Q 56,-54 46,-30 L 46,0 Z", "#d79a4b")
    for x in (-24, 0, 24):
        k.spline([(x - 8, -44), (x, -38), (x + 8, -44)], "#f0c684", 5, closed=False)
    k.rect(-46, -26, 92, 20, "#ffffffcc", 3)
    k.text("BREAD", 0, -9, "anton", 17, "#c0392b", "c")


def cooler(k, c="#2f7fd6"):
    k.rect(-54, -58, 108, 58, c, 8)
    k.rect(-58, -72, 116, 18, "#f3f6fa", 7)
    k.arc(0, -70, 36, 30, 180, 180, "#dfe5ee", 6)
    k.rect(-54, -34, 108, 8, light(c, .3))


def icecream(k, drip=0.0):
    k.poly([(-14, -34), (14, -34), (0, 4)], "#d9a04e")
    k.circle(0, -42, 18, "#fff1f4")
    k.circle(0, -60, 13, "#ffb3c6")
    k.rect(5, -36, 6, 12 + drip * 18, "#fff1f4", 3)


def gift(k, c="#ff5d73", c2="#ffd23f"):
    k.rect(-34, -52, 68, 52, c, 4)
    k.rect(-38, -62, 76, 16, dark(c, .1), 4)
    k.rect(-7, -62, 14, 62, c2)
    for sx in (-1, 1):
        k.oval(sx * 13, -70, 14, 9, c2, rot=-sx * 24)


def tub(k, label="ICE CREAM"):
    k.path("M -46,-50 L 46,-50 L 38,0 L -38,0 Z", "#fff3df")
    k.rect(-50, -62, 100, 16, "#5aa9e6", 6)
    k.text(label, 0, -20, "lilita", 15, "#b3541e", "c")


def rain(k, w, h, t, n=60, c="#cfe6ff", a=.55, slant=8):
    for i in range(n):
        x = (i * 73.7) % (w + 60) - 30
        q = (t * (1 + i % 2) + i * .377) % 1
        y = q * (h + 30) - 20
        k.line(x + slant - q * slant, y, x - q * slant, y + 12, fade(c, a), 1.6)


def confetti(k, w, h, t, n=46, colours=("#ff5d73", "#ffd23f", "#3ddc84", "#5ac8fa", "#b57bff")):
    for i in range(n):
        x = (i * 97.3) % w
        q = (t + i * .618) % 1
        with k.at(x + 10 * math.sin(q * 9 + i), q * (h + 24) - 12, rot=q * 720 + i * 40):
            k.rect(-3, -1.6, 6, 3.2, colours[i % len(colours)])


def notes(k, x, y, t, c="#ffffff", n=4, spread=50, h=80):
    for i in range(n):
        q = (t + i / n) % 1
        with k.at(x + math.sin(i * 2.1 + q * 4) * spread, y - q * h, .8 + .3 * (i % 2), rot=12 * math.sin(q * 8)):
            cc = fade(c, 1 - abs(2 * q - 1) ** 3)
            k.oval(0, 0, 6, 4.5, cc, rot=-20)
            k.line(5, -1, 5, -22, cc, 2.2)
            k.spline([(5, -22), (12, -17), (12, -11)], cc, 2.6, closed=False)


def mic(k):
    """In a hand, head up, unit scale of a figure."""
    k.limb([(0, .35), (0, -.5)], "#1d1d26", .22)
    k.circle(0, -.72, .3, "#9aa0ae")
    k.circle(-.08, -.8, .12, "#c9ced8")


def micstand(k, h=120):
    k.line(0, 0, 0, -h, "#2b2d38", 3.5)
    k.line(-20, 0, 20, 0, "#2b2d38", 5)
    k.rect(-5, -h - 18, 10, 22, "#8a90a0", 5)


def speaker(k, pulse=0.0):
    k.rect(-34, -120, 68, 120, "#1b1c26", 6)
    for y, r in ((-84, 18), (-36, 26)):
        k.circle(0, y, r + pulse * 2, "#3a3d4c")
        k.circle(0, y, r * .62 + pulse * 3, "#14151d")
        k.circle(0, y, r * .25, "#565a6c")


def tree(k, c="#3f8a4a", h=100):
    k.rect(-5, -h * .5, 10, h * .5, "#6a4a30")
    for x, y, r in ((-20, -.62, .28), (18, -.6, .26), (0, -.82, .3)):
        k.circle(x * h / 100, y * h, r * h, c)
    k.circle(-6 * h / 100, -.84 * h, .16 * h, light(c, .15))


def acacia(k, c="#4d7a3a", h=100):
    k.limb([(0, 0), (-4, -h * .5), (-24, -h * .74)], "#5a4230", 7)
    k.limb([(-3, -h * .45), (22, -h * .74)], "#5a4230", 6)
    k.oval(0, -h * .82, h * .62, h * .16, c)
    k.oval(-12, -h * .9, h * .4, h * .12, light(c, .12))


def aloe(k, h=60):
    for i in range(-4, 5):
        k.spline([(-3, 0), (i * h * .12, -h * .5), (i * h * .2, -h * (.75 - abs(i) * .08)), (i * h * .1, -h * .3)], "#5e9a6a" if i % 2 else "#4b8259")
    k.line(0, -h * .4, 0, -h * 1.1, "#7a5a3a", 3)
    k.oval(0, -h * 1.2, 6, 16, "#f0662f")


def pylon(k, h=120, c="#5a6274"):
    k.limb([(-20, 0), (-6, -h), (6, -h), (20, 0)], c, 3)
    for i in range(4):
        y, w = -h * i / 4, 20 - 3.5 * i
        k.line(-w, y, w - 3.5, y - h / 4, c, 2)
        k.line(w, y, -w + 3.5, y - h / 4, c, 2)
    for y in (.7, .86):
        k.line(-34, -h * y, 34, -h * y, c, 3)


def windmill(k, spin=0.0, h=120):
    for sx in (-1, 1):
        k.line(sx * 16, 0, 0, -h, "#8a8f9c", 3)
    for i in range(4):
        k.line(-13 + i * 3, -h * i * .2, 13 - i * 3, -h * (i + 1) * .2, "#8a8f9c", 1.6)
    with k.at(0, -h, rot=spin * 360):
        for i in range(12):
            with k.at(0, 0, rot=i * 30):
                k.poly([(-3, -6), (3, -6), (6, -30), (-4, -30)], "#c9ced8")
        k.circle(0, 0, 5, "#5a5f6c")


def balloon(k, c="#e5484d", c2="#ffd23f"):
    p = svg_path("M 0,-16 C -14,-36 -52,-64 -52,-100 C -52,-172 52,-172 52,-100 C 52,-64 14,-36 0,-16 Z")
    k.path(p, c)
    with k.clip(p):
        k.oval(0, -100, 22, 70, c2)
        k.rect(-60, -104, 120, 12, light(c, .35))
    for x in (-9, 9):
        k.line(x, -24, x * .9, 2, "#5a4230", 2)
    k.rect(-12, 0, 24, 17, "#a86f3c", 4)


def burst(k, text, r=60, c="#ffd23f", ink="#c21f39", size=34, n=14):
    pts = []
    for i in range(n * 2):
        a = math.pi * i / n
        q = r * (1.12 if i % 2 == 0 else .86)
        pts.append((q * 1.35 * math.cos(a), q * .82 * math.sin(a)))
    k.poly([(x + 3, y + 4) for x, y in pts], "#00000040")
    k.poly(pts, c)
    while text_width(text, "bangers", size) > r * 2.05:
        size -= 1
    k.text(text, 0, size * .36, "bangers", size, ink, "c")
