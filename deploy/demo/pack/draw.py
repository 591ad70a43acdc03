"""Ink: a small drawing kit over Skia. Colours are "#rrggbb" or "#rrggbbaa"; angles are degrees; y grows downwards."""
import math
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import skia

FONT_FILES = {
    "anton": "anton/files/anton-latin-400-normal.woff",
    "lilita": "lilita-one/files/lilita-one-latin-400-normal.woff",
    "bangers": "bangers/files/bangers-latin-400-normal.woff",
    "bebas": "bebas-neue/files/bebas-neue-latin-400-normal.woff",
    "poppins": "poppins/files/poppins-latin-700-normal.woff",
}
_faces = {}


def load_fonts(folder):
    """Reads the five typefaces; returns the names of those that are missing."""
    missing = []
    for name, file in FONT_FILES.items():
        path = Path(folder) / "@fontsource" / file
        face = skia.Typeface.MakeFromFile(str(path)) if path.exists() else None
        if face is None:
            missing.append("@fontsource/" + file.split("/")[0])
        else:
            _faces[name] = face
    return missing


@lru_cache(maxsize=4096)
def font(name, size):
    f = skia.Font(_faces[name], size)
    f.setEdging(skia.Font.Edging.kAntiAlias)
    f.setSubpixel(True)
    return f


def text_width(text, name, size):
    return font(name, size).measureText(text)


@lru_cache(maxsize=8192)
def rgba(colour):
    v = colour.lstrip("#")
    r, g, b = int(v[0:2], 16), int(v[2:4], 16), int(v[4:6], 16)
    a = int(v[6:8], 16) if len(v) == 8 else 255
    return r, g, b, a


def mix(a, b, t):
    x, y = rgba(a), rgba(b)
    t = max(0.0, min(1.0, t))
    return "#%02x%02x%02x%02x" % tuple(round(p + (q - p) * t) for p, q in zip(x, y))


def dark(c, t=0.25):
    return mix(c, "#0a0614" + ("%02x" % rgba(c)[3]), t)


def light(c, t=0.25):
    return mix(c, "#ffffff" + ("%02x" % rgba(c)[3]), t)


def fade(c, alpha):
    r, g, b, a = rgba(c)
    return "#%02x%02x%02x%02x" % (r, g, b, round(a * max(0, min(1, alpha))))


def sk(c):
    r, g, b, a = rgba(c)
    return skia.Color(r, g, b, a)


@lru_cache(maxsize=4096)
def svg_path(d):
    """A path from "M x,y L .. Q .. C .. Z" (absolute letters only)."""
    p, words, i = skia.Path(), d.replace(",", " ").split(), 0
    steps = {"M": (2, p.moveTo), "L": (2, p.lineTo), "Q": (4, p.quadTo), "C": (6, p.cubicTo)}
    verb = "M"
    while i < len(words):
        if words[i] in steps or words[i] == "Z":
            verb = words[i]
            i += 1
        if verb == "Z":
            p.close()
            continue
        n, step = steps[verb]
        step(*map(float, words[i:i + n]))
        i += n
    return p


class Beat:
    """Where a looping clip is: p runs 0..1 over its T seconds; waves with whole cycle counts meet at the seam."""

    def __init__(self, p=0.3, T=7.0):
        self.p, self.T = p % 1.0, T

    def sin(self, n=1, ph=0.0):
        return math.sin(2 * math.pi * (n * self.p + ph))

    def cos(self, n=1, ph=0.0):
        return math.cos(2 * math.pi * (n * self.p + ph))

    def saw(self, n=1, ph=0.0):
        return (n * self.p + ph) % 1.0

    def tri(self, n=1, ph=0.0):
        return 1 - abs(2 * self.saw(n, ph) - 1)

    def hop(self, n=1, ph=0.0):
        return abs(math.sin(math.pi * (n * self.p + ph)))


def ease(x):
    x = max(0.0, min(1.0, x))
    return x * x * (3 - 2 * x)


def lerp(a, b, t):
    return a + (b - a) * t


class Ink:
    def __init__(self, canvas, w, h):
        self.c, self.w, self.h = canvas, w, h
        self.quiet = False  # a quiet picture shows no speech bubbles

    # paint: colour string or shader
    def _p(self, fill, stroke=None, join=True):
        p = skia.Paint(AntiAlias=True)
        if isinstance(fill, str):
            p.setColor(sk(fill))
        else:
            p.setShader(fill)
        if stroke is not None:
            p.setStyle(skia.Paint.kStroke_Style)
            p.setStrokeWidth(stroke)
            if join:
                p.setStrokeCap(skia.Paint.kRound_Cap)
                p.setStrokeJoin(skia.Paint.kRound_Join)
        return p

    @contextmanager
    def at(self, x=0, y=0, s=1.0, rot=0.0, flip=False, sy=None):
        self.c.save()
        self.c.translate(x, y)
        if rot:
            self.c.rotate(rot)
        self.c.scale(-s if flip else s, s if sy is None else sy)
        yield self
        self.c.restore()

    @contextmanager
    def clip(self, path):
        self.c.save()
        self.c.clipPath(path, True)
        yield self
        self.c.restore()

    @contextmanager
    def clip_rect(self, x, y, w, h, r=0):
        self.c.save()
        self.c.clipRRect(skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(x, y, w, h), r, r), True)
        yield self
        self.c.restore()

    @contextmanager
    def layer(self, alpha=1.0):
        self.c.saveLayerAlpha(None, round(255 * max(0, min(1, alpha))))
        yield self
        self.c.restore()

    @contextmanager
    def blurred(self, sigma):
        paint = skia.Paint(ImageFilter=skia.ImageFilters.Blur(sigma, sigma, skia.TileMode.kClamp))
        self.c.saveLayer(None, paint)
        yield self
        self.c.restore()

    def vgrad(self, y0, y1, *colours, stops=None):
        return skia.GradientShader.MakeLinear([skia.Point(0, y0), skia.Point(0, y1)], [sk(c) for c in colours], stops)

    def hgrad(self, x0, x1, *colours, stops=None):
        return skia.GradientShader.MakeLinear([skia.Point(x0, 0), skia.Point(x1, 0)], [sk(c) for c in colours], stops)

    def rgrad(self, x, y, r, *colours, stops=None):
        return skia.GradientShader.MakeRadial(skia.Point(x, y), r, [sk(c) for c in colours], stops)

    def back(self, *colours):
        self.rect(-20, -20, self.w + 40, self.h + 40, self.vgrad(0, self.h, *colours) if len(colours) > 1 else colours[0])

    def rect(self, x, y, w, h, fill, r=0, stroke=None):
        rect = skia.Rect.MakeXYWH(x, y, w, h)
        if r:
            self.c.drawRoundRect(rect, r, r, self._p(fill, stroke))
        else:
            self.c.drawRect(rect, self._p(fill, stroke))

    def circle(self, x, y, r, fill, stroke=None):
        self.c.drawCircle(x, y, r, self._p(fill, stroke))

    def oval(self, x, y, rx, ry, fill, rot=0, stroke=None):
        self.c.save()
        self.c.translate(x, y)
        if rot:
            self.c.rotate(rot)
        self.c.drawOval(skia.Rect.MakeLTRB(-rx, -ry, rx, ry), self._p(fill, stroke))
        self.c.restore()

    def glow(self, x, y, r, colour, strength=0.8):
        self.circle(x, y, r, self.rgrad(x, y, r, fade(colour, strength), fade(colour, 0)))

    def line(self, x1, y1, x2, y2, colour, sw=2):
        self.c.drawLine(x1, y1, x2, y2, self._p(colour, sw))

    def limb(self, pts, colour, sw):
        p = skia.Path()
        p.moveTo(*pts[0])
        for q in pts[1:]:
            p.lineTo(*q)
        self.c.drawPath(p, self._p(colour, sw))

    def poly(self, pts, fill, stroke=None):
        p = skia.Path()
        p.addPoly([skia.Point(*q) for q in pts], True)
        self.c.drawPath(p, self._p(fill, stroke))

    def path(self, d, fill, stroke=None):
        self.c.drawPath(svg_path(d) if isinstance(d, str) else d, self._p(fill, stroke))

    def spline(self, pts, fill=None, stroke=None, closed=True):
        """A smooth curve through points (Catmull-Rom)."""
        n = len(pts)
        p = skia.Path()
        p.moveTo(*pts[0])
        for i in range(n if closed else n - 1):
            a = pts[(i - 1) % n] if closed or i else pts[0]
            b, c_ = pts[i], pts[(i + 1) % n]
            d = pts[(i + 2) % n] if closed or i + 2 < n else pts[-1]
            p.cubicTo(b[0] + (c_[0] - a[0]) / 6, b[1] + (c_[1] - a[1]) / 6,
                      c_[0] - (d[0] - b[0]) / 6, c_[1] - (d[1] - b[1]) / 6, c_[0], c_[1])
        if closed:
            p.close()
        if fill is not None:
            self.c.drawPath(p, self._p(fill, stroke))
        return p

    def arc(self, x, y, rx, ry, start, sweep, colour, sw):
        self.c.drawArc(skia.Rect.MakeLTRB(x - rx, y - ry, x + rx, y + ry), start, sweep, False, self._p(colour, sw))

    def text(self, s, x, y, name, size, fill, align="l", outline=None, ow=0):
        f = font(name, size)
        if align != "l":
            w = f.measureText(s)
            x -= w / 2 if align == "c" else w
        if outline:
            self.c.drawString(s, x, y, f, self._p(outline, ow))
        self.c.drawString(s, x, y, f, self._p(fill))


def wrap(text, name, size, width):
    lines, line = [], ""
    for word in text.split():
        trial = (line + " " + word).strip()
        if line and text_width(trial, name, size) > width:
            lines.append(line)
            line = word
        else:
            line = trial
    return lines + [line]


def fit(text, name, width, max_lines, biggest, smallest):
    """The biggest size at which the text takes at most max_lines, with its lines balanced."""
    size = biggest
    while size > smallest:
        lines = wrap(text, name, size, width)
        if len(lines) <= max_lines and all(text_width(l, name, size) <= width for l in lines):
            break
        size -= 1
    lines = wrap(text, name, size, width)
    narrow = width
    while narrow > width * 0.5 and len(wrap(text, name, size, narrow - 8)) == len(lines):
        narrow -= 8
    return wrap(text, name, size, narrow), size


def surface(w, h, scale=1.0):
    s = skia.Surface(int(round(w * scale)), int(round(h * scale)))
    canvas = s.getCanvas()
    canvas.scale(scale, scale)
    return s, Ink(canvas, w, h)
