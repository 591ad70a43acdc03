"""The cast: people and animals. A look is a dict of traits; the same look draws a portrait, a meme or a clip."""
import math

from .draw import dark, fade, light, mix, skia, svg_path

SKINS = {"deep": "#4a2c1d", "cocoa": "#5f3a26", "brown": "#7b4b2e", "caramel": "#9c6238", "honey": "#b87d4b",
         "tan": "#cc9663", "peach": "#e6b48c", "fair": "#f0c9a6"}

BASE = dict(skin="brown", hair="fade", hair_c="#17100d", jaw=0.5, wide=1.0, nose=1.0, lips=None, beard=None,
            glasses=None, glasses_c="#15151c", hat=None, hat_c="#e23b3b", ear=None, lash=False, age=0,
            top="tee", top_c="#e84855", top_c2="#ffffff", legs="trousers", legs_c="#27304a", shoes_c="#f4f4f0",
            build=1.0, number=None, freckles=False, scar=False)


def look(**traits):
    return {**BASE, **traits}


FACE = "M -0.72,-0.30 C -0.74,-1.12 0.74,-1.12 0.72,-0.30 C 0.74,0.42 {j},1.0 0,1.0 C -{j},1.0 -0.74,0.42 -0.72,-0.30 Z"


def head(k, L, expr="smile", gaze=(0, 0), blink=0.0, talk=0.0, back=True):
    """A head: centre (0,0), chin at y=1. expr: smile grin laugh flat sad oh smirk angry wow cry sleep think love."""
    skin = SKINS.get(L["skin"], L["skin"])
    shade, lit = dark(skin, .2), light(skin, .13)
    hc = L["hair_c"]
    face = svg_path(FACE.format(j=L["jaw"]))
    k.c.save()
    k.c.scale(L["wide"], 1)
    if back:
        hair_back(k, L, hc)
    for sx in (-1, 1):
        k.oval(sx * .73, .06, .15, .21, skin)
        k.oval(sx * .74, .06, .075, .12, shade)
    k.path(face, skin)
    with k.clip(face):
        k.oval(.95, .15, .55, 1.3, fade(shade, .55))
        k.oval(-.42, .32, .24, .17, fade("#ff7a5c", .13))
        k.oval(.42, .32, .24, .17, fade("#ff7a5c", .13))
        k.oval(-.25, -.62, .36, .2, fade(lit, .5))
        if L["beard"]:
            beard(k, L)
        if L["age"]:
            for y in (-.62, -.5):
                k.spline([(-.28, y), (0, y - .05), (.28, y)], fade(shade, .8), .03, closed=False)
            for sx in (-1, 1):
                k.spline([(sx * .22, .34), (sx * .36, .44), (sx * .38, .6)], fade(shade, .8), .035, closed=False)
        if L["freckles"]:
            for i, (x, y) in enumerate([(-.4, .2), (-.3, .28), (-.46, .3), (.4, .2), (.32, .28), (.46, .3), (-.36, .14), (.36, .13)]):
                k.circle(x, y, .022, fade(dark(skin, .45), .6))
    eyes(k, L, expr, gaze, blink, skin, shade)
    w = .11 * L["nose"]
    k.spline([(-.05, .02), (-.07, .2), (-w - .03, .31), (-.06, .36), (0, .385), (.06, .36), (w + .03, .31)], shade, .05, closed=False)
    k.oval(0, .29, w * .8, .07, fade(lit, .5))
    mouth(k, L, expr, talk, skin)
    if L["scar"]:
        k.line(.3, -.42, .42, -.2, lit, .035)
    hair_front(k, L, hc)
    if L["glasses"]:
        glasses(k, L)
    hat(k, L)
    if L["ear"]:
        for sx in (-1, 1):
            if L["ear"] == "hoop":
                k.circle(sx * .76, .42, .16, "#f6c945", .045)
            else:
                k.circle(sx * .75, .24, .055, "#ffe9a8")
    k.c.restore()


def eyes(k, L, expr, gaze, blink, skin, shade):
    lift = {"wow": -.1, "oh": -.08, "sad": -.02, "cry": -.02, "laugh": -.06, "grin": -.03}.get(expr, 0)
    tilt = {"angry": 15, "sad": -13, "cry": -15, "smirk": 3, "think": -4, "love": -6}.get(expr, -2)
    brow = dark(L["hair_c"], .1) if L["hair_c"] != "#f1efe9" else "#cfcac2"
    for sx in (-1, 1):
        x, y = sx * .3, -.04
        up = -.09 if (expr in ("think", "smirk") and sx > 0) else 0
        k.c.save()
        k.c.translate(x, -.3 + lift + up)
        k.c.rotate(sx * tilt)
        k.spline([(-.17, .035), (-.02, -.035), (.17, .03)], brow, .085, closed=False)
        k.c.restore()
        if expr in ("laugh", "love") and L.get("shut", True) or expr == "sleep" or blink > .5:
            bow = .09 if expr == "sleep" or blink > .5 else -.1
            k.spline([(x - .15, y - bow * .4), (x, y + bow), (x + .15, y - bow * .4)], dark(skin, .72), .06, closed=False)
            continue
        ry = {"wow": .17, "oh": .155, "grin": .115, "smirk": .085, "flat": .085, "angry": .09, "think": .1}.get(expr, .13)
        k.oval(x, y, .165, ry, "#fffdf8")
        gx, gy = gaze[0] * .07, gaze[1] * .05
        with k.clip(_oval(x, y, .165, ry)):
            k.circle(x + gx, y + gy + .005, .095, "#2b1810")
            k.circle(x + gx, y + gy + .005, .05, "#0b0605")
            k.circle(x + gx + .035, y + gy - .04, .03, "#ffffff")
        k.arc(x, y, .165, ry, 188, 164, dark(skin, .65), .045)
        if L["lash"]:
            k.spline([(x + sx * .13, y - .06), (x + sx * .24, y - .13)], dark(skin, .75), .05, closed=False)
        if expr in ("flat", "sad", "cry", "think"):
            k.arc(x, y + .03, .15, ry, 40, 100, fade(shade, .7), .03)
    if expr == "cry":
        for sx in (-1, 1):
            k.oval(sx * .36, .26, .055, .12, "#7fd4ff")


def _oval(x, y, rx, ry):
    p = skia.Path()
    p.addOval(skia.Rect.MakeLTRB(x - rx, y - ry, x + rx, y + ry))
    return p


def mouth(k, L, expr, talk, skin):
    lips = L["lips"] or mix(dark(skin, .3), "#8a2f2f", .35)
    y = .6
    if talk > .05:
        k.oval(0, y, .2 - .05 * talk, .05 + .13 * talk, "#3a0d10")
        with k.clip(_oval(0, y, .2 - .05 * talk, .05 + .13 * talk)):
            k.rect(-.2, y - .2, .4, .12 + .05 * talk, "#fffaf2")
            k.oval(0, y + .16, .13, .08, "#e0555f")
        k.oval(0, y, .2 - .05 * talk, .05 + .13 * talk, lips, stroke=.04)
    elif expr in ("laugh", "grin", "love"):
        deep = {"laugh": .36, "grin": .2, "love": .22}[expr]
        wid = {"laugh": .36, "grin": .33, "love": .28}[expr]
        top = y - .1
        p = svg_path(f"M {-wid},{top} Q 0,{top + .07} {wid},{top} C {wid * .9},{top + deep * 1.3} {-wid * .9},{top + deep * 1.3} {-wid},{top} Z")
        k.path(p, "#3a0d10")
        with k.clip(p):
            k.rect(-.5, top - .05, 1, .05 + deep * .48, "#fffdf6")
            if expr == "laugh":
                k.oval(0, top + deep * 1.05, .19, .12, "#e8616b")
        k.path(p, lips, .045)
    elif expr in ("wow", "oh"):
        ry = .19 if expr == "wow" else .11
        k.oval(0, y + .02, .13, ry, "#3a0d10")
        k.oval(0, y + .02, .13, ry, lips, stroke=.055)
    elif expr == "smirk":
        k.spline([(-.2, y + .03), (0, y + .03), (.18, y - .02), (.27, y - .1)], lips, .075, closed=False)
    elif expr in ("sad", "cry"):
        k.spline([(-.24, y + .1), (0, y - .03), (.24, y + .1)], lips, .075, closed=False)
    elif expr in ("flat", "think", "sleep"):
        k.spline([(-.2, y), (0, y - .01), (.2, y + (.04 if expr == "think" else 0))], lips, .08, closed=False)
    elif expr == "angry":
        p = svg_path(f"M -.24,{y + .08} Q 0,{y - .16} .24,{y + .08} Q 0,{y + .02} -.24,{y + .08} Z")
        k.path(p, "#fffdf6")
        k.path(p, lips, .05)
    else:
        k.spline([(-.27, y - .06), (-.12, y + .05), (.12, y + .05), (.27, y - .06)], lips, .075, closed=False)
        k.spline([(-.1, y + .15), (0, y + .17), (.1, y + .15)], fade(dark(skin, .3), .6), .035, closed=False)


def beard(k, L):
    c, kind = L["hair_c"], L["beard"]
    if kind == "full":
        k.path("M -0.8,0.05 Q -0.62,0.32 -0.42,0.42 Q 0,0.3 0.42,0.42 Q 0.62,0.32 0.8,0.05 L 0.8,1.2 L -0.8,1.2 Z", fade(c, .93))
        k.oval(0, .62, .25, .1, SKINS.get(L["skin"], L["skin"]))
    elif kind == "stubble":
        k.path("M -0.8,0.15 Q -0.6,0.4 -0.42,0.45 Q 0,0.35 0.42,0.45 Q 0.6,0.4 0.8,0.15 L 0.8,1.2 L -0.8,1.2 Z", fade(c, .3))
    elif kind == "goatee":
        k.path("M -0.3,0.74 Q 0,0.68 0.3,0.74 Q 0.3,1.1 0,1.1 Q -0.3,1.1 -0.3,0.74 Z", fade(c, .92))
        k.path("M -0.3,0.5 Q -0.15,0.41 0,0.45 Q 0.15,0.41 0.3,0.5 Q 0.15,0.49 0,0.5 Q -0.15,0.49 -0.3,0.5 Z", fade(c, .92))
    elif kind == "tache":
        k.path("M -0.34,0.55 Q -0.18,0.38 0,0.44 Q 0.18,0.38 0.34,0.55 Q 0.15,0.5 0,0.51 Q -0.15,0.5 -0.34,0.55 Z", c)
    elif kind == "chin":
        k.oval(0, .93, .19, .12, fade(c, .92))


def blob_ring(k, c, n, r, rx, ry, a0=150, a1=390, oy=-.3):
    for i in range(n):
        a = math.radians(a0 + (a1 - a0) * i / (n - 1))
        k.circle(rx * math.cos(a), oy + ry * math.sin(a), r * (1 + .12 * math.sin(i * 2.4)), c)


def hair_back(k, L, c):
    h = L["hair"]
    if L["hat"] in ("doek", "beanie", "helmet") and h not in ("braids", "locs", "long"):
        return
    if h == "afro":
        blob_ring(k, c, 15, .42, .82, .78, 140, 400)
        k.oval(0, -.5, 1.0, .85, c)
    elif h == "bigafro":
        blob_ring(k, c, 19, .45, 1.1, 1.05, 130, 410)
        k.oval(0, -.45, 1.25, 1.15, c)
    elif h in ("braids", "locs"):
        w, n = (.15, 9) if h == "braids" else (.2, 7)
        for i in range(n):
            x = -.85 + 1.7 * i / (n - 1)
            bottom = 1.75 - .35 * (1 - abs(x)) + .1 * (i % 2)
            k.limb([(x * .8, -.4), (x * 1.05, .5), (x * 1.1, bottom)], dark(c, .2 * (i % 2)) if h == "locs" else c, w)
            if h == "braids":
                k.circle(x * 1.1, bottom - .1, .07, L.get("bead", "#f3b33d"))
    elif h == "long":
        k.path("M -0.85,-0.4 C -0.95,-1.4 0.95,-1.4 0.85,-0.4 C 1.0,0.5 0.95,1.2 0.8,1.55 L -0.8,1.55 C -0.95,1.2 -1.0,0.5 -0.85,-0.4 Z", c)
    elif h == "bob":
        k.path("M -0.85,-0.4 C -0.95,-1.4 0.95,-1.4 0.85,-0.4 C 0.98,0.3 1.0,0.6 0.92,0.8 L -0.92,0.8 C -1.0,0.6 -0.98,0.3 -0.85,-0.4 Z", c)
    elif h == "puff":
        blob_ring(k, c, 12, .3, .5, .45, 0, 330, -1.2)
        k.circle(0, -1.2, .55, c)
    elif h == "bun":
        k.circle(0, -1.22, .36, c)
        k.arc(0, -1.22, .2, .2, 200, 120, light(c, .25), .05)
    elif h == "puffs":
        for sx in (-1, 1):
            k.circle(sx * .8, -.8, .46, c)
            for i in range(8):
                a = i * math.pi / 4
                k.circle(sx * .8 + .4 * math.cos(a), -.8 + .4 * math.sin(a), .15, c)
    elif h == "ponytail":
        k.spline([(.3, -.9), (1.0, -.9), (1.15, .1), (.95, .9), (.8, .2), (.5, -.5)], c)


def hair_front(k, L, c):
    h = L["hair"]
    if L["hat"] in ("doek", "beanie", "bucket", "helmet", "chef"):
        return
    cap = "M -0.75,-0.2 C -0.8,-1.25 0.8,-1.25 0.75,-0.2 C 0.68,-0.5 0.6,-0.62 0.42,-0.66 Q 0,-0.72 -0.42,-0.66 C -0.6,-0.62 -0.68,-0.5 -0.75,-0.2 Z"
    if h == "fade":
        k.path("M -0.71,-0.3 C -0.76,-1.2 0.76,-1.2 0.71,-0.3 L 0.62,-0.6 Q 0,-0.74 -0.62,-0.6 Z", c)
        k.rect(-.74, -.5, .1, .42, fade(c, .5), .05)
        k.rect(.64, -.5, .1, .42, fade(c, .5), .05)
    elif h == "hightop":
        k.path("M -0.72,-0.3 C -0.7,-0.6 -0.75,-1.0 -0.72,-1.45 Q 0,-1.62 0.72,-1.45 C 0.75,-1.0 0.7,-0.6 0.72,-0.3 L 0.6,-0.62 Q 0,-0.72 -0.6,-0.62 Z", c)
    elif h in ("afro", "bigafro"):
        blob_ring(k, c, 9, .2, .62, .34, 185, 355, -.5)
    elif h in ("braids", "cornrows"):
        k.path(cap, c)
        for i in range(-3, 4):
            k.spline([(i * .2, -.68), (i * .17, -.85), (i * .1, -1.0)], light(c, .22), .03, closed=False)
    elif h == "locs":
        k.path(cap, c)
        for i in range(-3, 4):
            k.limb([(i * .06, -1.02), (i * .2, -.8), (i * .26, -.55)], dark(c, .12) if i % 2 else light(c, .1), .14)
    elif h == "twists":
        for i in range(9):
            a = math.radians(190 + 160 * i / 8)
            k.limb([(.6 * math.cos(a), -.45 + .5 * math.sin(a)), (.86 * math.cos(a), -.5 + .82 * math.sin(a))], c, .2)
        k.path(cap, c)
    elif h in ("long", "bob"):
        k.path("M -0.8,-0.05 C -0.9,-1.25 0.9,-1.25 0.8,-0.05 C 0.74,-0.45 0.5,-0.62 0.1,-0.78 C -0.2,-0.55 -0.65,-0.5 -0.8,-0.05 Z", c)
        k.spline([(-.5, -.75), (-.1, -.95), (.3, -.92)], light(c, .25), .04, closed=False)
    elif h == "side":
        k.path("M -0.74,-0.18 C -0.85,-1.3 0.85,-1.35 0.76,-0.18 C 0.7,-0.5 0.62,-0.55 0.5,-0.62 C 0.2,-0.55 -0.2,-0.6 -0.45,-0.8 C -0.5,-0.6 -0.68,-0.5 -0.74,-0.18 Z", c)
    elif h == "curly":
        blob_ring(k, c, 9, .24, .62, .58, 185, 355, -.4)
        blob_ring(k, c, 7, .2, .45, .28, 195, 345, -.55)
    elif h in ("puff", "bun", "puffs", "ponytail"):
        k.path(cap, c)
        k.spline([(-.4, -.78), (0, -.92), (.4, -.78)], light(c, .18), .035, closed=False)
    elif h == "waves":
        k.path("M -0.72,-0.3 C -0.76,-1.2 0.76,-1.2 0.72,-0.3 L 0.62,-0.6 Q 0,-0.72 -0.62,-0.6 Z", fade(c, .93))
        for y in (-.72, -.82, -.92):
            k.spline([(-.4, y + .03), (-.2, y - .03), (0, y + .02), (.2, y - .03), (.4, y + .03)], light(c, .2), .025, closed=False)
    elif h == "mohawk":
        k.path("M -0.2,-0.6 C -0.3,-1.0 -0.3,-1.4 -0.1,-1.6 Q 0,-1.45 0.1,-1.6 C 0.3,-1.4 0.3,-1.0 0.2,-0.6 Z", c)
        k.path("M -0.72,-0.3 C -0.76,-1.2 0.76,-1.2 0.72,-0.3 L 0.62,-0.55 Q 0,-0.72 -0.62,-0.55 Z", fade(c, .4))
    elif h == "balding":
        for sx in (-1, 1):
            k.spline([(sx * .72, -.5), (sx * .8, -.2), (sx * .74, .05), (sx * .66, -.1), (sx * .62, -.45)], c)
    elif h == "shaved":
        k.path("M -0.71,-0.3 C -0.76,-1.13 0.76,-1.13 0.71,-0.3 L 0.58,-0.58 Q 0,-0.7 -0.58,-0.58 Z", fade(c, .38))


def hat(k, L):
    kind, c = L["hat"], L["hat_c"]
    if kind == "cap":
        k.path("M -0.78,-0.42 C -0.8,-1.35 0.8,-1.35 0.78,-0.42 Q 0,-0.62 -0.78,-0.42 Z", c)
        k.path("M -0.2,-0.5 Q 0.5,-0.72 1.2,-0.36 Q 1.25,-0.26 1.1,-0.28 Q 0.4,-0.42 -0.2,-0.5 Z", dark(c, .25))
        k.circle(0, -1.08, .07, dark(c, .3))
    elif kind == "beanie":
        k.path("M -0.8,-0.35 C -0.85,-1.45 0.85,-1.45 0.8,-0.35 Z", c)
        k.rect(-.84, -.62, 1.68, .34, dark(c, .2), .14)
        for i in range(-4, 5):
            k.line(i * .18, -.58, i * .18, -.34, dark(c, .35), .03)
        k.circle(0, -1.25, .2, light(c, .2))
    elif kind == "bucket":
        k.path("M -0.62,-0.5 C -0.62,-1.35 0.62,-1.35 0.62,-0.5 Z", c)
        k.path("M -0.66,-0.62 L 0.66,-0.62 L 1.02,-0.2 Q 0,-0.5 -1.02,-0.2 Z", dark(c, .18))
        k.path("M -0.64,-0.68 L 0.64,-0.68 L 0.67,-0.56 L -0.67,-0.56 Z", L["top_c2"])
    elif kind == "doek":
        k.path("M -0.79,-0.28 C -1.0,-1.55 1.0,-1.55 0.79,-0.28 Q 0,-0.72 -0.79,-0.28 Z", c)
        k.spline([(-.5, -1.1), (-.75, -1.65), (-.1, -1.45), (.2, -1.75), (.6, -1.5), (.35, -1.1)], light(c, .12))
        for a, b in (((-.6, -.75), (.3, -1.2)), ((-.7, -.5), (.55, -1.0)), ((-.2, -.55), (.72, -.7))):
            k.spline([a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - .12), b], L.get("hat_c2", "#ffd24a"), .055, closed=False)
    elif kind == "fedora":
        k.path("M -0.58,-0.5 C -0.6,-1.4 -0.2,-1.15 0,-1.22 C 0.2,-1.15 0.6,-1.4 0.58,-0.5 Z", c)
        k.rect(-.6, -.68, 1.2, .17, L["top_c2"])
        k.oval(0, -.47, 1.06, .16, dark(c, .12))
    elif kind == "helmet":
        k.path("M -0.85,-0.2 C -0.95,-1.45 0.95,-1.45 0.85,-0.2 Q 0,-0.6 -0.85,-0.2 Z", c)
        k.path("M -0.12,-1.2 Q 0,-1.26 0.12,-1.2 L 0.1,-0.5 Q 0,-0.52 -0.1,-0.5 Z", L["top_c2"])
        k.path("M -0.6,-0.4 Q 0,-0.78 0.6,-0.4 L 0.75,-0.2 Q 0,-0.52 -0.75,-0.2 Z", dark(c, .3))
    elif kind == "chef":
        k.rect(-.62, -1.0, 1.24, .5, "#ffffff", .08)
        for x, r in ((-.5, .38), (0, .46), (.5, .38)):
            k.circle(x, -1.2, r, "#ffffff")
        k.rect(-.62, -.72, 1.24, .2, "#e9e6ee", .05)
    elif kind == "headset":
        k.arc(0, -.2, .82, .95, 180, 180, "#20222e", .11)
        for sx in (-1, 1):
            k.rect(sx * .8 - .13, -.2, .26, .5, c, .12)
    elif kind == "band":
        k.path("M -0.76,-0.52 Q 0,-0.82 0.76,-0.52 L 0.75,-0.34 Q 0,-0.64 -0.75,-0.34 Z", c)


def glasses(k, L):
    c, kind = L["glasses_c"], L["glasses"]
    for sx in (-1, 1):
        if kind == "round":
            k.circle(sx * .31, -.03, .235, fade("#ffffff", .16))
            k.circle(sx * .31, -.03, .235, c, .055)
        elif kind == "shades":
            k.rect(sx * .32 - .26, -.2, .52, .36, "#0d0d14", .12)
            k.line(sx * .32 - .12, .06, sx * .32 + .08, -.13, fade("#ffffff", .5), .05)
        else:
            k.rect(sx * .32 - .25, -.2, .5, .35, fade("#ffffff", .14), .07)
            k.rect(sx * .32 - .25, -.2, .5, .35, c, .07, stroke=.065)
        k.line(sx * .56, -.08, sx * .73, -.06, c, .05)
    k.line(-.07, -.08, .07, -.08, c, .06)


POSES = {  # upper and fore arm: degrees away from straight down, outwards
    "stand": dict(l=(14, 6), r=(14, 6)), "wave": dict(l=(16, 4), r=(80, 168)), "hips": dict(l=(48, -38), r=(48, -38)),
    "shrug": dict(l=(32, 100), r=(32, 100)), "up": dict(l=(128, 168), r=(128, 168)), "point": dict(l=(16, 6), r=(84, 92)),
    "pointup": dict(l=(16, 6), r=(70, 176)), "hold": dict(l=(20, -52), r=(20, -52)), "phone": dict(l=(16, 4), r=(26, -128)),
    "ear": dict(l=(16, 4), r=(52, 188)), "think": dict(l=(24, -76), r=(30, -150)), "palm": dict(l=(16, 4), r=(58, -158)),
    "fold": dict(l=(26, -78), r=(26, -84)), "give": dict(l=(14, 6), r=(44, 78)), "mic": dict(l=(40, 88), r=(24, -146)),
    "wide": dict(l=(82, 100), r=(82, 100)), "flex": dict(l=(88, 178), r=(88, 178)), "drive": dict(l=(46, 42), r=(46, 42)),
    "hug": dict(l=(40, -20), r=(40, -20)), "cheer": dict(l=(20, -60), r=(140, 172)), "head": dict(l=(72, 196), r=(72, 196)),
    "stir": dict(l=(16, 8), r=(30, -34)), "dj": dict(l=(34, 12), r=(36, 20)), "heart": dict(l=(30, -120), r=(30, -120)),
    "umbrella": dict(l=(14, 6), r=(30, -160)), "carry": dict(l=(26, -88), r=(26, -88)), "desk": dict(l=(30, -40), r=(30, -40)),
}


def arm_pose(pose):
    return POSES[pose] if isinstance(pose, str) else pose


def figure(k, L, pose="stand", expr="smile", gaze=(0, 0), blink=0, talk=0, tilt=0, lean=0, walk=None, sit=False, item=None,
           item_l=None, arms=None, headoff=(0, 0)):
    """A person standing with the feet at (0,0); one unit is half a head, about 8.4 units tall.
    item(k) is drawn at the right hand (the viewer's right), item_l at the left."""
    skin = SKINS.get(L["skin"], L["skin"])
    b = L["build"]
    P = arms or arm_pose(pose)
    hip_y, sh_y, head_y = -3.3, -6.0, -7.55
    # legs
    lc, bare = L["legs_c"], L["legs"] in ("shorts", "skirt")
    if walk is not None:
        a = 34 * math.sin(2 * math.pi * walk)
        la, ra = (a, a - max(0, 38 * math.sin(2 * math.pi * walk + 2.0))), (-a, -a - max(0, 38 * math.sin(2 * math.pi * walk + 2.0 + math.pi)))
    else:
        la, ra = (-4, -2), (4, 2)
    if sit:
        la = ra = None
    for sx, ang in ((-1, la), (1, ra)):
        hx = sx * .42 * b
        if sit:
            kx, ky, fx, fy = hx + sx * .35, hip_y + .55, hx + sx * .45, hip_y + 2.3
        else:
            a1, a2 = math.radians(ang[0]), math.radians(ang[1])
            kx, ky = hx + 1.6 * math.sin(a1), hip_y + 1.6 * math.cos(a1)
            fx, fy = kx + 1.55 * math.sin(a2), ky + 1.55 * math.cos(a2)
        c = lc if sx < 0 else dark(lc, .1)
        if bare:
            k.limb([(hx, hip_y), (kx, ky), (fx, fy)], skin if sx < 0 else dark(skin, .1), .52)
            if L.get("socks"):
                k.limb([(kx + (fx - kx) * .4, ky + (fy - ky) * .4), (fx, fy)], L["socks"], .56)
            if L["legs"] == "shorts":
                k.limb([(hx, hip_y), (hx + (kx - hx) * .75, hip_y + (ky - hip_y) * .75)], c, .86)
        else:
            k.limb([(hx, hip_y), (kx, ky), (fx, fy - .1)], c, .74)
        k.spline([(fx - .3, fy + .22), (fx - .28, fy - .12), (fx + .1, fy - .14), (fx + .62, fy + .1), (fx + .6, fy + .24)],
                 L["shoes_c"] if sx < 0 else dark(L["shoes_c"], .12))
    if L["legs"] == "skirt":
        k.path(f"M {-.85 * b},{hip_y - .5} L {.85 * b},{hip_y - .5} L {1.35 * b},{hip_y + 1.7} Q 0,{hip_y + 2.0} {-1.35 * b},{hip_y + 1.7} Z", lc)
    with k.at(0, hip_y, rot=lean):
        with k.at(0, -hip_y):
            upper(k, L, P, skin, b, hip_y, sh_y, head_y, expr, gaze, blink, talk, tilt, item, item_l, headoff)


def reach(x, y, sx, ang, l1=1.42, l2=1.38):
    a1, a2 = math.radians(ang[0]), math.radians(ang[1])
    ex, ey = x + sx * l1 * math.sin(a1), y + l1 * math.cos(a1)
    return (x, y), (ex, ey), (ex + sx * l2 * math.sin(a2), ey + l2 * math.cos(a2))


def upper(k, L, P, skin, b, hip_y, sh_y, head_y, expr, gaze, blink, talk, tilt, item, item_l, headoff=(0, 0)):
    tc, t2, kind = L["top_c"], L["top_c2"], L["top"]
    w = 1.18 * b
    neck = dark(skin, .2)
    with k.at(headoff[0], head_y - .1 + headoff[1], 1.14, rot=tilt):
        k.c.scale(L["wide"], 1)
        hair_back(k, L, L["hair_c"])
    k.rect(-.34, -6.75, .68, 1.0, neck, .25)
    torso = svg_path(f"M {-.32},{sh_y - .42} C {-w * .6},{sh_y - .36} {-w},{sh_y - .22} {-w - .06},{sh_y + .25} "
                     f"C {-w * .95},{sh_y + 1.1} {-w * .8},{hip_y - .8} {-w * .82},{hip_y + .12} L {w * .82},{hip_y + .12} "
                     f"C {w * .8},{hip_y - .8} {w * .95},{sh_y + 1.1} {w + .06},{sh_y + .25} C {w},{sh_y - .22} {w * .6},{sh_y - .36} .32,{sh_y - .42} Z")
    if kind == "dress":
        k.path(f"M {-w * .82},{hip_y - .6} L {w * .82},{hip_y - .6} L {w * 1.35},{hip_y + 1.7} Q 0,{hip_y + 2} {-w * 1.35},{hip_y + 1.7} Z", tc)
    k.path(torso, tc)
    with k.clip(torso):
        k.oval(w * 1.15, sh_y + 1.5, .75, 3, fade(dark(tc, .3), .5))
        garment(k, L, kind, tc, t2, w, sh_y, hip_y, skin)
    collar(k, L, kind, tc, t2, sh_y, skin)
    order = []
    for sx, key, it in ((-1, "l", item_l), (1, "r", item)):
        pts = reach(sx * (w - .12), sh_y + .12, sx, P[key])
        order.append((sx, pts, it))
    bare = L.get("sleeves", "long" if kind in ("suit", "hoodie", "overall", "coat", "blazer", "shirt", "jersey", "silks") else "short")
    front = [o for o in order if abs(o[1][2][0]) < 1.2 or o[1][2][1] < -6.2]
    for o in order:
        if o not in front:
            arm(k, L, o, tc, skin, bare)
    with k.at(headoff[0], head_y - .1 + headoff[1], 1.14, rot=tilt):
        head(k, L, expr, gaze, blink, talk, back=False)
    for o in front:
        arm(k, L, o, tc, skin, bare)


def arm(k, L, o, tc, skin, bare):
    sx, (s, e, h), it = o
    sleeve = L.get("sleeve_c", tc)
    c = sleeve if sx < 0 else dark(sleeve, .12)
    sc = skin if sx < 0 else dark(skin, .1)
    if it and getattr(it, "behind", False):
        with k.at(h[0], h[1]):
            it(k)
    if bare == "long":
        k.limb([s, e, h], c, .56)
        cuff = L.get("cuff")
        if cuff:
            q = (e[0] + (h[0] - e[0]) * .84, e[1] + (h[1] - e[1]) * .84)
            k.limb([q, h], cuff, .56)
    else:
        k.limb([s, e, h], sc, .42)
        m = (s[0] + (e[0] - s[0]) * .62, s[1] + (e[1] - s[1]) * .62)
        k.limb([s, m], c, .62)
    if it and not getattr(it, "behind", False):
        with k.at(h[0], h[1]):
            it(k)
    dx, dy = h[0] - e[0], h[1] - e[1]
    n = math.hypot(dx, dy) or 1
    k.circle(h[0] + dx / n * .1, h[1] + dy / n * .1, .28, sc)
    k.circle(h[0] + dx / n * .08 - dy / n * .2, h[1] + dy / n * .08 + dx / n * .2, .12, sc)


def garment(k, L, kind, tc, t2, w, sh, hip, skin):
    if kind == "stripe":
        for i in range(6):
            k.rect(-2, sh + .1 + i * .55, 4, .24, t2)
    elif kind == "vstripe":
        for i in range(-3, 4):
            k.rect(i * .52 - .13, sh - 1, .26, 5, t2)
    elif kind == "halves":
        k.rect(0, sh - 1, 3, 6, t2)
    elif kind == "sash":
        k.poly([(-w, sh - .3), (-w + .8, sh - .5), (w, hip - .2), (w, hip + .6), (w - .5, hip + .5)], t2)
    elif kind in ("suit", "blazer"):
        k.poly([(-.42, sh - .5), (.42, sh - .5), (0, sh + 1.5)], "#fdfdfd")
        k.poly([(-.11, sh - .1), (.11, sh - .1), (.18, sh + 1.0), (0, sh + 1.3), (-.18, sh + 1.0)], t2)
        for sx in (-1, 1):
            k.poly([(sx * .42, sh - .55), (sx * .8, sh + .35), (sx * .62, sh + .5), (0, sh + 1.6)], dark(tc, .22))
        k.line(0, sh + 1.6, 0, hip + .2, dark(tc, .4), .05)
        for y in (1.9, 2.4):
            k.circle(.1, sh + y, .07, dark(tc, .5))
        if kind == "blazer":
            k.rect(.45, sh + .75, .36, .36, t2, .06)
    elif kind == "school":
        k.poly([(-.42, sh - .5), (.42, sh - .5), (0, sh + .7)], "#fdfdfd")
        k.poly([(-.1, sh - .1), (.1, sh - .1), (.17, sh + .5), (0, sh + .72), (-.17, sh + .5)], t2)
        for sx in (-1, 1):
            k.poly([(sx * .38, sh - .5), (sx * .56, sh - .4), (0, sh + .95), (0, sh + .68)], light(tc, .2))
        k.rect(-2, hip - .3, 4, .2, t2)
    elif kind == "hoodie":
        k.rect(-.62, hip - 1.2, 1.24, .85, dark(tc, .14), .2)
        for sx in (-1, 1):
            k.line(sx * .18, sh + .1, sx * .2, sh + .9, t2, .07)
    elif kind == "overall":
        k.rect(-.75, sh + .6, 1.5, 3, t2, .1)
        for sx in (-1, 1):
            k.rect(sx * .6 - .13, sh - .6, .26, 1.5, t2)
            k.circle(sx * .6, sh + .8, .1, "#ffd24a")
        k.rect(-.35, sh + 1.0, .7, .55, dark(t2, .2), .08)
    elif kind == "apron":
        k.rect(-.78, sh + .45, 1.56, 3.4, t2, .18)
        k.rect(-.4, sh + 1.4, .8, .6, dark(t2, .12), .08)
        for sx in (-1, 1):
            k.line(sx * .55, sh - .5, sx * .65, sh + .6, t2, .16)
    elif kind == "dots":
        for i in range(-3, 4):
            for j in range(7):
                k.circle(i * .48 + (.24 if j % 2 else 0), sh + j * .45, .12, t2)
    elif kind in ("print", "dress"):
        for j in range(6):
            for i in range(-4, 5):
                x, y = i * .5 + (.25 if j % 2 else 0), sh + .1 + j * .5
                k.poly([(x, y - .18), (x + .16, y), (x, y + .18), (x - .16, y)], t2)
    elif kind == "shirt":
        k.line(0, sh - .2, 0, hip + .2, dark(tc, .25), .05)
        for i in range(4):
            k.circle(0, sh + .5 + i * .55, .06, dark(tc, .35))
        k.rect(.35, sh + .75, .5, .55, dark(tc, .1), .06)
    elif kind == "vest":
        k.poly([(-.5, sh - .5), (.5, sh - .5), (.3, hip + .2), (-.3, hip + .2)], "#f4f1e8")
        k.line(0, sh, 0, hip, dark(tc, .3), .05)
    elif kind == "hivis":
        k.rect(-2, sh + 1.3, 4, .28, "#f4f6e8")
        for sx in (-1, 1):
            k.rect(sx * .62 - .14, sh - .6, .28, 4, "#f4f6e8")
    elif kind == "kit":
        k.rect(-2, sh + .95, 4, .8, t2) if L.get("hoop") else None
        for sx in (-1, 1):
            k.poly([(sx * w, sh - .4), (sx * (w + .2), sh + 3.4), (sx * (w - .42), sh + 3.4), (sx * (w - .2), sh - .4)], t2)
    elif kind == "silks":
        pattern = L.get("silks", "diamond")
        if pattern == "diamond":
            for j in range(4):
                for i in range(-2, 3):
                    x, y = i * .7 + (.35 if j % 2 else 0), sh + .2 + j * .75
                    k.poly([(x, y - .36), (x + .3, y), (x, y + .36), (x - .3, y)], t2)
        elif pattern == "hoops":
            for i in range(4):
                k.rect(-2, sh + i * .85, 4, .42, t2)
        elif pattern == "star":
            star(k, 0, sh + 1.2, .85, t2)
        elif pattern == "cross":
            k.limb([(-w, sh - .3), (w, hip)], t2, .35)
            k.limb([(w, sh - .3), (-w, hip)], t2, .35)
        elif pattern == "spots":
            for i in range(-2, 3):
                for j in range(4):
                    k.circle(i * .62 + (.3 if j % 2 else 0), sh + .2 + j * .7, .2, t2)
        else:
            k.poly([(-w - .2, sh + .5), (0, sh + 1.6), (w + .2, sh + .5), (w + .2, sh + 1.2), (0, sh + 2.3), (-w - .2, sh + 1.2)], t2)
    elif kind == "chevron":
        k.poly([(-w - .2, sh + .3), (0, sh + 1.3), (w + .2, sh + .3), (w + .2, sh + .9), (0, sh + 1.95), (-w - .2, sh + .9)], t2)
    if L["number"]:
        s = str(L["number"])
        with k.at(0, sh + 2.3, .034):
            k.text(s, 0, 0, "anton", 40, L.get("num_c", "#ffffff"), "c", dark(tc, .6), 4)


def star(k, x, y, r, c):
    pts = []
    for i in range(10):
        a = -math.pi / 2 + i * math.pi / 5
        q = r if i % 2 == 0 else r * .45
        pts.append((x + q * math.cos(a), y + q * math.sin(a)))
    k.poly(pts, c)


def collar(k, L, kind, tc, t2, sh, skin):
    if kind in ("tee", "stripe", "vstripe", "dots", "kit", "halves", "sash", "chevron", "print", "dress", "hivis"):
        k.oval(0, sh - .38, .44, .26, dark(skin, .12))
        k.arc(0, sh - .38, .46, .28, 0, 180, t2 if kind in ("kit", "halves", "sash", "chevron") else dark(tc, .25), .11)
    elif kind in ("shirt", "overall", "apron", "vest"):
        k.oval(0, sh - .4, .4, .22, dark(skin, .12))
        base = tc if kind != "vest" else "#f4f1e8"
        for sx in (-1, 1):
            k.poly([(sx * .42, sh - .62), (sx * .62, sh - .22), (sx * .2, sh + .12), (sx * .02, sh - .18)], light(base, .18))
    elif kind in ("hoodie", "jersey"):
        k.arc(0, sh - .45, .62, .42, 5, 170, dark(tc, .22), .3)
    elif kind in ("silks",):
        k.rect(-.42, sh - .62, .84, .36, t2, .14)


# --- animals: feet at (0,0), about 4 units tall unless said; wag is a -1..1 wave ---

def dog(k, c="#b8793d", wag=0.0, expr="smile"):
    d = dark(c, .25)
    k.limb([(-1.4, -1.6), (-2.1, -2.2 + wag * .3)], c, .3)
    for x in (-1.1, -.7, .55, .95):
        k.limb([(x, -1.2), (x, -.12)], d if x in (-.7, .55) else c, .34)
    k.oval(-.1, -1.6, 1.45, .72, c)
    k.oval(.2, -1.35, .9, .4, light(c, .3))
    with k.at(1.35, -2.5, rot=wag * 4):
        k.oval(0, 0, .78, .72, c)
        k.oval(.6, .22, .42, .3, light(c, .3))
        k.oval(.92, .1, .14, .11, "#191014")
        k.oval(-.45, -.1, .24, .62, d, rot=18)
        k.circle(.2, -.15, .11, "#191014")
        k.circle(.24, -.19, .035, "#ffffff")
        k.spline([(.5, .38), (.7, .46), (.9, .36)], "#3a1a14", .07, closed=False)
        if expr == "tongue":
            k.oval(.66, .62, .14, .24, "#ef6f7c")


def goat(k, c="#f3eee4", chew=0.0):
    d = dark(c, .18)
    for x in (-1.0, -.6, .55, .95):
        k.limb([(x, -1.5), (x, -.1)], d if x in (-.6, .55) else c, .26)
        k.limb([(x, -.25), (x, -.1)], "#3a322c", .28)
    k.oval(0, -1.95, 1.4, .72, c)
    k.oval(-.5, -2.05, .5, .42, "#8a5a36")
    k.limb([(1.0, -2.3), (1.5, -3.1)], c, .6)
    with k.at(1.7, -3.4):
        for q in (-.1, .16):
            k.spline([(q, -.4), (q - .25, -1.0), (q - .75, -1.15)], "#6b5a45", .17, closed=False)
        k.oval(.15, 0, .66, .45, c, rot=18)
        k.oval(.55, .2 + chew * .06, .34, .26, light(c, .3))
        k.spline([(-.35, -.1), (-1.0, .0), (-.5, .2)], d)
        k.oval(.2, -.1, .12, .12, "#e7c64b")
        k.rect(.1, -.13, .2, .06, "#191014")
        k.spline([(.5, .45), (.45, .95), (.7, .5)], "#d8d0c2")


def hadeda(k, beak=0.0):
    k.limb([(-.1, -1.3), (-.15, -.1)], "#5a4a40", .12)
    k.limb([(.3, -1.3), (.35, -.1)], "#5a4a40", .12)
    k.spline([(-2.1, -1.5), (-.9, -2.3), (.5, -2.4), (1.0, -1.9), (.4, -1.2), (-.8, -1.2)], "#6e6357")
    k.spline([(-1.7, -1.6), (-.6, -2.2), (.4, -2.0), (-.2, -1.4)], "#3f6b5c")
    k.spline([(-1.2, -1.6), (-.4, -1.95), (.2, -1.8)], "#b35a8c", .12, closed=False)
    k.limb([(.75, -2.1), (1.05, -3.0)], "#7a6f62", .42)
    k.circle(1.12, -3.2, .4, "#7a6f62")
    k.circle(1.24, -3.28, .09, "#191014")
    with k.at(1.4, -3.15):
        k.spline([(0, -.08), (.8, .08 - beak * .3), (1.35, .6 - beak * .3)], "#2b2522", .15, closed=False)
        if beak > .1:
            k.spline([(0, .06), (.6, .4 + beak * .2), (.95, .95 + beak * .1)], "#a33a32", .13, closed=False)


def meerkat(k, c="#c99a62", look_x=0.0, arms=0.0):
    d = dark(c, .3)
    k.spline([(-.4, -.3), (-1.3, -.2), (-1.7, -.7)], d, .24, closed=False)
    k.spline([(-.75, -.05), (-.7, -1.6), (-.45, -2.9), (.45, -2.9), (.7, -1.6), (.75, -.05)], c)
    k.oval(0, -1.3, .42, 1.0, light(c, .4))
    for sx in (-1, 1):
        k.limb([(sx * .45, -2.3), (sx * (.75 + arms * .4), -1.6 - arms * 1.4)], d, .22)
        k.oval(sx * .4, -.05, .4, .16, d)
    with k.at(look_x * .12, -3.3):
        k.oval(0, 0, .72, .62, c)
        for sx in (-1, 1):
            k.circle(sx * .62, -.32, .18, d)
            k.oval(sx * .28 + look_x * .06, -.05, .2, .22, "#4a3424")
            k.circle(sx * .28 + look_x * .1, -.05, .09, "#0c0706")
            k.circle(sx * .28 + look_x * .1 + .03, -.09, .035, "#ffffff")
        k.oval(look_x * .12, .26, .28, .2, light(c, .4))
        k.oval(look_x * .14, .18, .12, .09, "#21140f")


def elephant(k, c="#8f98a8", trunk=0.0, ear=0.0):
    d = dark(c, .18)
    for x in (-1.7, -1.0, .3, 1.0):
        k.rect(x - .36, -1.8, .72, 1.8, d if x in (-1.0, .3) else c, .2)
        k.rect(x - .3, -.2, .6, .2, light(c, .35), .08)
    k.oval(-.4, -2.5, 2.1, 1.35, c)
    k.spline([(-2.3, -2.6), (-2.75, -2.0), (-2.7, -1.5)], d, .12, closed=False)
    k.circle(1.5, -3.2, 1.1, c)
    k.spline([(2.2, -3.2), (2.8, -2.4), (2.7 + trunk * .3, -1.4 - trunk * .5), (3.2 + trunk * .2, -1.0 - trunk * 1.0)], c, .55, closed=False)
    k.oval(.75 - ear * .1, -3.1, .85 + ear * .1, 1.05, d)
    k.oval(.8 - ear * .1, -3.05, .55 + ear * .08, .75, mix(c, "#e6a0a8", .4))
    k.circle(1.85, -3.45, .15, "#16121a")
    k.circle(1.9, -3.5, .05, "#ffffff")
    k.spline([(2.1, -2.5), (2.45, -2.1), (2.5, -1.8)], "#fff6e0", .2, closed=False)


def giraffe(k, c="#eab54e", nod=0.0):
    d = "#a5622c"
    for x in (-1.1, -.7, .5, .9):
        k.limb([(x, -2.4), (x, -.1)], dark(c, .14) if x in (-.7, .5) else c, .3)
    k.oval(0, -2.7, 1.4, .8, c)
    neck = [(.9, -2.9), (1.5, -4.6), (1.9, -6.0)]
    k.limb(neck, c, .62)
    for x, y, r in ((-.7, -2.8, .26), (-.1, -2.5, .28), (.4, -3.0, .24), (.9, -2.6, .2), (1.15, -3.8, .2), (1.45, -4.6, .18), (1.75, -5.4, .16)):
        k.poly([(x - r, y), (x - r * .3, y - r), (x + r, y - r * .4), (x + r * .7, y + r * .8), (x - r * .4, y + r)], d)
    with k.at(2.0, -6.3, rot=nod * 6):
        k.oval(.3, 0, .72, .42, c, rot=16)
        k.oval(.82, .18, .3, .24, light(c, .35))
        for x in (-.1, .2):
            k.line(x, -.3, x - .05, -.8, d, .12)
            k.circle(x - .05, -.85, .12, d)
        k.circle(.25, -.08, .1, "#1b1210")
        k.spline([(-.3, -.1), (-.85, -.1), (-.4, .15)], c)


def penguin(k, flap=0.0):
    k.oval(0, -1.9, 1.05, 1.85, "#23242f")
    k.oval(.05, -1.6, .72, 1.4, "#fbfaf4")
    k.arc(.05, -1.75, .74, 1.3, 200, 140, "#23242f", .14)
    for sx in (-1, 1):
        k.oval(sx * (1.05 + flap * .2), -1.8 - flap * .3, .26, .85, "#23242f", rot=sx * (-16 - flap * 34))
        k.oval(sx * .42, -.06, .42, .16, "#3a3a42")
        k.circle(sx * .32, -3.05, .2, "#ffffff")
        k.circle(sx * .32, -3.05, .1, "#0c0c12")
    k.oval(.02, -2.75, .28, .15, "#2e2b2a")
    k.arc(0, -3.15, .6, .42, 200, 140, "#f7a9ae", .12)


def cow(k, c="#f5f0ea", chew=0.0):
    for x in (-1.4, -.9, .7, 1.2):
        k.rect(x - .22, -1.5, .44, 1.5, dark(c, .1) if x in (-.9, .7) else c, .12)
        k.rect(x - .22, -.22, .44, .22, "#2e2622", .05)
    k.oval(0, -2.1, 1.9, 1.0, c)
    for x, y, r in ((-1.0, -2.3, .55), (.3, -1.9, .5), (-.3, -2.7, .3)):
        k.oval(x, y, r, r * .75, "#6b4226")
    with k.at(2.0, -2.9):
        for sx in (-1, 1):
            k.spline([(sx * .35, -.5), (sx * .95, -.75), (sx * 1.1, -1.4)], "#efe3c2", .2, closed=False)
            k.oval(sx * .8, -.25, .38, .18, "#6b4226", rot=sx * 16)
        k.oval(0, 0, .62, .8, c)
        k.oval(0, .55, .5, .36, "#f0b5a8")
        k.circle(-.18, .52 + chew * .04, .07, "#8a4a44")
        k.circle(.18, .52 + chew * .04, .07, "#8a4a44")
        for sx in (-1, 1):
            k.circle(sx * .28, -.15, .12, "#191014")


def monkey(k, c="#8d8478", arms=0.0):
    k.spline([(-.6, -.5), (-1.6, -.6), (-1.8, -1.7), (-1.3, -2.2)], c, .18, closed=False)
    k.oval(0, -1.1, .85, 1.1, c)
    k.oval(.05, -.95, .5, .75, "#e8e0d2")
    for sx in (-1, 1):
        k.limb([(sx * .6, -1.7), (sx * 1.0, -1.2 - arms), (sx * (.7 + arms * .2), -.7 - arms * 1.6)], c, .28)
        k.limb([(sx * .5, -.4), (sx * .8, -.1)], c, .34)
    with k.at(0, -2.5):
        k.circle(0, 0, .78, "#efe9dc")
        k.oval(0, .08, .56, .58, "#2b2422")
        k.oval(0, -.5, .6, .3, c)
        for sx in (-1, 1):
            k.circle(sx * .22, -.02, .15, "#d8a24a")
            k.circle(sx * .22, -.02, .08, "#0c0706")
            k.circle(sx * .78, 0, .16, "#2b2422")
        k.spline([(-.2, .36), (0, .44), (.2, .36)], "#c98a7c", .07, closed=False)


def chicken(k, c="#b5502e", peck=0.0):
    for x in (-.1, .25):
        k.limb([(x, -.8), (x, -.08)], "#e6a02c", .1)
    k.spline([(-1.2, -2.0), (-.4, -1.6), (.4, -2.0), (.75, -1.4), (.3, -.7), (-.5, -.7)], c)
    k.spline([(-1.1, -1.9), (-1.7, -2.5), (-1.0, -2.3), (-1.2, -2.8), (-.5, -1.9)], dark(c, .45))
    k.spline([(-.6, -1.4), (0, -1.5), (-.2, -1.0)], dark(c, .2))
    with k.at(.62, -2.2 + peck * .3):
        k.circle(0, 0, .38, c)
        for x in (-.15, .05, .24):
            k.circle(x, -.4, .14, "#e23b3b")
        k.poly([(.32, -.06), (.72, .06), (.32, .16)], "#f2b632")
        k.oval(.28, .34, .1, .18, "#e23b3b")
        k.circle(.12, -.06, .07, "#140c0a")
