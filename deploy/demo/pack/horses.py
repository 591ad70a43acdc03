"""Horses: a galloping racehorse with its jockey, a standing horse and a horse's head."""
import math

from .cast import SKINS, star
from .draw import dark, light, mix

COATS = {"bay": ("#7a4222", "#1d1310"), "chestnut": ("#a4552a", "#8a4320"), "grey": ("#b9bcc4", "#7d818c"),
         "black": ("#2c2629", "#131012"), "palomino": ("#d9a453", "#f3e3bd"), "dark": ("#4a2a1c", "#17100d")}


def leg(k, x, y, a1, a2, a3, c, hoof, l=(24, 24, 12), w=(13, 7.5, 6), sock=None):
    pts = [(x, y)]
    for a, n in zip((a1, a2, a3), l):
        x, y = x + n * math.sin(math.radians(a)), y + n * math.cos(math.radians(a))
        pts.append((x, y))
    k.limb(pts[:2], c, w[0])
    k.limb(pts[1:3], c, w[1])
    k.limb(pts[2:], sock or c, w[2])
    k.limb([pts[3], (pts[3][0] + 4, pts[3][1] + 1)], hoof, w[2] + 1)


def gallop(k, phase, coat="bay", silks=("#e5484d", "#ffffff"), pattern="star", number=None, rider="brown", jockey=True, whip=0.0):
    """A racehorse galloping to the right: about 190 wide, hooves at y=0. phase 0..1 is one stride."""
    body, mane = COATS[coat]
    far = dark(body, .34)
    w = 2 * math.pi * phase
    bob = 4 * math.sin(w)
    with k.at(0, -66 + bob, rot=3.2 * math.sin(w + .9)):
        # far legs, then body, then near legs
        def fore(ph, c):
            s = math.sin(w + ph)
            a1 = 48 * s + 6
            fold = max(0, math.cos(w + ph))
            leg(k, 42, 12, a1, a1 - 78 * fold - 4, a1 - 96 * fold, c, "#1a1512", sock="#f3ede2" if coat in ("chestnut", "bay") and c == body else None)

        def hind(ph, c):
            s = math.sin(w + ph)
            a1 = 42 * s - 4
            fold = max(0, math.cos(w + ph))
            leg(k, -46, 8, a1 + 16, a1 - 30 - 30 * fold, a1 - 10 - 44 * fold, c, "#1a1512", l=(26, 25, 13), w=(17, 8, 6.5))

        fore(.55, far)
        hind(math.pi + .5, far)
        # tail
        k.spline([(-60, -14), (-84, -20 + 4 * math.sin(w)), (-116, -8 + 8 * math.sin(w + 1)), (-126, 6 + 8 * math.sin(w + 1.6)), (-96, 2), (-66, 0)], mane)
        # body with neck
        nod = 4 * math.sin(w + 2.2)
        k.spline([(-64, -8), (-54, -26), (-24, -23), (10, -24), (36, -30), (62, -58 + nod), (76, -60 + nod), (80, -48 + nod), (66, -18), (60, 4), (44, 20), (6, 19), (-26, 10), (-46, 19), (-63, 12)], body)
        k.spline([(-20, 12), (6, 18), (40, 19), (56, 6), (30, 12), (0, 10)], dark(body, .18))
        k.spline([(-60, -14), (-46, -24), (-26, -20), (-40, -12)], light(body, .14))
        # mane
        k.spline([(34, -30), (46, -44), (60, -60 + nod), (70, -64 + nod), (52, -56 + nod), (36, -46 + nod * .5), (20, -36)], mane)
        # head
        with k.at(70, -56 + nod, rot=34 + nod):
            k.spline([(-10, -10), (4, -13), (26, -8), (42, -5), (45, 4), (38, 10), (22, 8), (4, 14), (-10, 10)], body)
            k.poly([(-6, -10), (-8, -24), (4, -12)], body)
            k.poly([(-1, -11), (-1, -22), (6, -12)], far)
            k.spline([(6, -6), (22, -5), (38, -2), (40, 2), (22, 0)], "#f3ede2" if coat in ("chestnut", "dark") else light(body, .12))
            k.circle(8, -3, 2.6, "#0d0908")
            k.circle(9, -4, .9, "#ffffff")
            k.circle(40, 1, 1.7, "#120c0a")
            k.limb([(26, -8), (25, 8)], "#20181a", 2.2)
            k.limb([(-4, 10), (26, 2)], "#20181a", 2)
        hind(math.pi * .55 + .5 - .9, body)
        fore(-.35, body)
        # cloth and jockey
        k.poly([(-22, -23), (16, -25), (18, 2), (-20, 2)], silks[1])
        k.rect(-21, -2, 39, 4, silks[0])
        if number:
            k.text(str(number), -2, -4, "anton", 17, "#15151d", "c")
        if jockey:
            ride(k, w, silks, pattern, rider, whip, nod)


def ride(k, w, silks, pattern, rider, whip, nod):
    c, c2 = silks
    skin = SKINS[rider]
    push = 3 * math.sin(w + 2.2)
    with k.at(push * .6, -2 + 1.5 * math.sin(w + 1)):
        k.limb([(-8, -42), (10, -30), (-4, -14)], "#f8f7f2", 11)
        k.limb([(-4, -14), (-8, -6)], "#16131a", 9)
        k.limb([(-9, -6), (3, -4)], "#16131a", 6)
        torso = k.spline([(-18, -46), (-10, -56), (14, -64), (28, -62), (28, -50), (10, -42), (-8, -36)])
        k.path(torso, c)
        with k.clip(torso):
            if pattern == "hoops":
                for i in range(4):
                    with k.at(-10 + i * 12, -50, rot=20):
                        k.rect(-2.5, -30, 5, 60, c2)
            elif pattern == "star":
                star(k, 6, -52, 8.5, c2)
            elif pattern == "spots":
                for x, y in ((-8, -48), (4, -55), (14, -50), (4, -45), (20, -58)):
                    k.circle(x, y, 3, c2)
            elif pattern == "cross":
                k.limb([(-14, -40), (26, -64)], c2, 4)
                k.limb([(-10, -58), (24, -44)], c2, 4)
            elif pattern == "chevron":
                k.limb([(-10, -62), (4, -50), (-6, -36)], c2, 5)
                k.limb([(8, -66), (20, -54), (12, -40)], c2, 5)
            else:
                for x, y in ((-6, -49), (6, -53), (18, -57)):
                    k.poly([(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)], c2)
        arm = [(22, -56), (28 + push, -42), (44 + push, -40 + nod * .4)]
        k.limb(arm, dark(c, .1), 8)
        k.circle(arm[2][0], arm[2][1], 4, skin)
        k.line(arm[2][0], arm[2][1], 78, -48 + nod, "#20181a", 1.6)
        k.circle(36, -69, 9.5, skin)
        k.path("M 24,-70 C 24,-88 46,-88 46,-71 L 52,-69 L 40,-69 Z", c2)
        k.path("M 24,-70 C 24,-80 32,-86 36,-84 L 34,-70 Z", c)
        k.rect(37, -72, 11, 6, "#1a1a22", 3)
        k.rect(39, -71, 6, 2.4, "#7fc4ff", 1)


def standing(k, coat="bay", nod=0.0, tail=0.0, rug=None, rug2="#ffffff", step=None, number=None):
    """A horse standing or walking to the right, hooves at y=0."""
    body, mane = COATS[coat]
    far = dark(body, .34)
    w = 2 * math.pi * (step or 0)
    sw = 20 if step is not None else 0
    with k.at(0, -74):
        def L(x, ph, c, hindleg):
            s = math.sin(w + ph) * sw
            f = max(0, math.cos(w + ph)) * (1 if sw else 0)
            leg(k, x, 12, s + (8 if hindleg else 0), s - (14 if hindleg else 0) - 26 * f, s - 18 * f, c, "#1a1512", l=(26, 26, 13), w=(15 if hindleg else 13, 8, 7))
        L(44, math.pi, far, False)
        L(-42, 0, far, True)
        k.spline([(-58, -18), (-74, -10), (-80 + 8 * tail, 20), (-76 + 14 * tail, 52), (-66 + 8 * tail, 24), (-58, 0)], mane)
        k.spline([(-62, -8), (-52, -25), (-24, -22), (10, -24), (34, -32), (50, -66 + nod), (64, -78 + nod), (76, -66 + nod), (70, -30), (62, 2), (46, 20), (6, 20), (-26, 15), (-48, 20), (-62, 12)], body)
        k.spline([(-58, -14), (-44, -22), (-26, -18), (-40, -10)], light(body, .13))
        k.spline([(32, -34), (42, -56 + nod * .6), (54, -76 + nod), (64, -84 + nod), (52, -64 + nod), (44, -44)], mane)
        with k.at(64, -74 + nod, rot=46 + nod):
            k.spline([(-10, -10), (4, -13), (26, -8), (42, -5), (45, 4), (38, 10), (22, 8), (4, 14), (-10, 10)], body)
            k.poly([(-6, -10), (-10, -25), (4, -12)], body)
            k.spline([(6, -6), (22, -5), (38, -2), (40, 2), (22, 0)], "#f3ede2" if coat in ("chestnut", "dark", "bay") else light(body, .12))
            k.circle(8, -3, 2.6, "#0d0908")
            k.circle(9, -4, .9, "#ffffff")
            k.circle(40, 1, 1.7, "#120c0a")
            k.limb([(26, -8), (25, 8)], "#20181a", 2.2)
            k.limb([(-4, 10), (26, 2)], "#20181a", 2)
        L(48, 0, body, False)
        L(-46, math.pi, body, True)
        if rug:
            k.spline([(-60, -14), (-40, -27), (0, -26), (26, -30), (30, 8), (0, 14), (-40, 14), (-60, 8)], rug)
            k.spline([(-60, 6), (-30, 12), (10, 12), (30, 6)], rug2, 4, closed=False)
            if number:
                k.text(str(number), -18, 2, "anton", 24, rug2, "c")


def face(k, coat="bay", chew=0.0, ear=0.0, blink=0.0, bridle="#3a2418", rosette=None):
    """A horse looking at us over a stable door: 90 wide, 190 tall, chin at (0,0)."""
    body, mane = COATS[coat]
    for sx in (-1, 1):
        with k.at(sx * 26, -158, rot=sx * (12 + ear * 10)):
            k.spline([(-11, 4), (-6, -30), (0, -44), (8, -28), (11, 4)], body)
            k.spline([(-5, 0), (-1, -30), (5, 0)], mix(body, "#e8a0a0", .35))
    k.spline([(-40, -140), (-46, -60), (-52, 30), (52, 30), (46, -60), (40, -140)], dark(body, .2))
    k.spline([(-38, -150), (0, -166), (38, -150), (40, -112), (28, -60), (33, -22), (20, 0), (0, 5), (-20, 0), (-33, -22), (-28, -60), (-40, -112)], body)
    k.spline([(-10, -128), (0, -140), (10, -128), (8, -70), (13, -40), (-13, -40), (-8, -70)], "#f6f1e6" if coat != "grey" else "#e4e6ea")
    k.spline([(-32, -24), (-22, -40), (22, -40), (32, -24), (20, 1), (0, 6), (-20, 1)], mix(body, "#2a1a18", .45))
    for sx in (-1, 1):
        k.oval(sx * 33, -104, 9, 11 * (1 - blink) + 1, "#120b09")
        k.circle(sx * 33 + 3, -108, 2.8, "#ffffff")
        k.arc(sx * 33, -106, 11, 13, 190, 160, dark(body, .4), 3)
        k.oval(sx * 14, -22, 6, 8, "#120b09", rot=sx * 18)
    k.spline([(-14, -4 + chew * 3), (0, -1 + chew * 4), (14, -4 + chew * 3)], "#120b09", 3, closed=False)
    k.spline([(-14, -160), (-22, -120), (-8, -132), (-4, -108), (4, -134), (14, -118), (14, -160), (0, -172)], mane)
    for y, x in ((-58, 29), (-126, 39)):
        k.line(-x, y, x, y, bridle, 5)
    for sx in (-1, 1):
        k.line(sx * 39, -126, sx * 29, -58, bridle, 5)
        k.circle(sx * 30, -58, 5, "#e3c766")
    if rosette:
        k.circle(40, -132, 15, rosette)
        k.circle(40, -132, 8, "#fff6d8")
        k.poly([(34, -120), (30, -92), (40, -100), (50, -92), (46, -120)], rosette)
