"""Sound for the clips: small synthesised loops. Every clip has its own seed, so its own tune, tempo and key."""
import random
import wave

import numpy as np

RATE = 32000
MINOR, MAJOR, PENTA, BLUES, HARM = (0, 2, 3, 5, 7, 8, 10), (0, 2, 4, 5, 7, 9, 11), (0, 2, 4, 7, 9), (0, 3, 5, 6, 7, 10), (0, 1, 4, 5, 7, 8, 11)


class Loop:
    """A ring of samples: whatever rings past the end comes round to the start, so the clip loops without a click."""

    def __init__(self, secs, seed):
        self.n = int(secs * RATE)
        self.secs = secs
        self.mix = np.zeros(self.n)
        self.r = random.Random(seed)
        self.g = np.random.default_rng(abs(hash_text(seed)) % 2**32)

    def add(self, t, s, gain=1.0):
        start = int(t * RATE) % self.n
        s = s * gain
        while len(s):
            m = min(len(s), self.n - start)
            self.mix[start:start + m] += s[:m]
            s, start = s[m:], 0

    def noise(self, n):
        return self.g.standard_normal(n)


def hash_text(s):
    h = 2166136261
    for c in str(s):
        h = ((h ^ ord(c)) * 16777619) % 2**32
    return h


def hz(note):
    return 440.0 * 2 ** ((note - 69) / 12)


def t_of(secs):
    return np.arange(int(secs * RATE)) / RATE


def env(t, a, d):
    return np.minimum(1, t / a) * np.exp(-t / d)


def pluck(f, d=.5, bright=.5):
    t = t_of(d * 3)
    return sum(np.sin(2 * np.pi * f * (i + 1) * t) * bright ** i / (i + 1) * np.exp(-t * (1 + i * .8) / d) for i in range(5)) * np.minimum(1, t / .003)


def bell(f, d=.6):
    t = t_of(d * 3)
    return (np.sin(2 * np.pi * f * t) + .5 * np.sin(2 * np.pi * f * 3.93 * t) * np.exp(-t / .08) + .25 * np.sin(2 * np.pi * f * 2 * t)) * env(t, .002, d)


def pad(f, secs, a=.25):
    t = t_of(secs)
    s = sum(np.sin(2 * np.pi * f * d * t + i) for i, d in enumerate((1, 1.004, .996, 2.001))) / 4
    return s * np.minimum(1, t / a) * np.minimum(1, (secs - t) / a)


def brass(f, secs):
    t = t_of(secs)
    s = sum(np.sin(2 * np.pi * f * (i + 1) * t * (1 + .002 * np.sin(30 * t))) / (i + 1) * .85 ** i for i in range(8))
    return s * np.minimum(1, t / .03) * np.minimum(1, (secs - t) / .05) * .6


def kick(f=52, d=.22):
    t = t_of(.4)
    return np.sin(2 * np.pi * (f * t + 9 * (1 - np.exp(-t / .03)) * .4)) * env(t, .002, d)


def log_drum(f):
    t = t_of(.55)
    return np.tanh(2.2 * np.sin(2 * np.pi * f * t + 2.5 * np.exp(-t / .05)) * env(t, .004, .22))


def smooth(s, k):
    return np.convolve(s, np.ones(k) / k, "same")


def hiss(L, secs, d, tone=1):
    t = t_of(secs)
    s = L.noise(len(t))
    s = s - smooth(s, 3) if tone else smooth(s, 6)
    return s * env(t, .001, d)


def clap(L):
    t = t_of(.25)
    return sum(np.roll(L.noise(len(t)) * env(t, .001, .05), int(i * .011 * RATE)) for i in range(3)) * .5


def crowd(L, gain=.16, swell=None):
    s = smooth(L.noise(L.n + 800), 14)[400:400 + L.n]
    f = int(.25 * RATE)
    s[:f] = s[:f] * np.linspace(0, 1, f) + 0
    s[-f:] = s[-f:] * np.linspace(1, 0, f)
    t = np.arange(L.n) / L.n
    level = .6 + .25 * np.sin(2 * np.pi * (t * 2 + L.r.random()))
    if swell:
        level = level * .55 + 1.5 * np.exp(-((t - swell) / .16) ** 2)
    L.mix += s * gain * 3 * level


def laughter(L, at, gain=.5):
    for _ in range(9):
        f = L.r.uniform(150, 420)
        t0, rate = at + L.r.uniform(0, .35), L.r.uniform(4.5, 7)
        for i in range(L.r.randint(3, 7)):
            t = t_of(.12)
            v = sum(np.sin(2 * np.pi * f * (1 - .04 * i) * h * t) / h for h in (1, 2, 3, 4, 5)) + .25 * L.noise(len(t))
            L.add(t0 + i / rate, v * np.sin(np.pi * t / .12) ** 1.2, gain * .09 * (1 - i * .08))


def whistle(L, at, secs=.5):
    t = t_of(secs)
    L.add(at, np.sin(2 * np.pi * 2500 * t + 5 * np.sin(2 * np.pi * 38 * t)) * np.minimum(1, t / .02) * np.minimum(1, (secs - t) / .05), .22)


def vuvuzela(L, at, secs, f=233):
    t = t_of(secs)
    s = sum(np.sin(2 * np.pi * f * h * t + .3 * np.sin(9 * t)) / h ** .7 for h in range(1, 7))
    L.add(at, s * np.minimum(1, t / .15) * np.minimum(1, (secs - t) / .2), .06)


def tune(L, beats, scale, root, voice, gain=.3, density=.7, step=1.0, bpm_beat=None):
    b = bpm_beat
    deg = L.r.randint(0, 4)
    phrase = []
    for i in range(int(beats / step)):
        if i % 8 >= 4 and i >= 8 and L.r.random() < .6:
            phrase.append(phrase[i - 8])
            continue
        if L.r.random() > density:
            phrase.append(None)
            continue
        deg = max(0, min(9, deg + L.r.choice((-2, -1, -1, 0, 1, 1, 2, 3 if deg < 4 else -3))))
        phrase.append(deg)
    for i, d in enumerate(phrase):
        if d is not None:
            L.add(i * step * b, voice(hz(root + scale[d % len(scale)] + 12 * (d // len(scale)))), gain)


def drums(L, beats, b, style):
    r = L.r
    for i in range(int(beats * 4)):
        t, s = i * b / 4, i % 16
        if style == "four":
            if s % 4 == 0:
                L.add(t, kick(), .6)
            if s % 4 == 2:
                L.add(t, hiss(L, .08, .025), .16)
            if s in (4, 12):
                L.add(t, clap(L), .25)
        elif style == "amapiano":
            if s % 4 == 0:
                L.add(t, kick(48), .45)
            L.add(t, hiss(L, .06, .02), .07 + .06 * (s % 2))
            if s in (3, 6, 10, 13, 15) and r.random() < .8:
                L.add(t, log_drum(hz(33 + r.choice((0, 3, 5, 7, 10)))), .5)
            if s in (4, 12):
                L.add(t, clap(L), .2)
        elif style == "gqom":
            if s in (0, 3, 6, 10, 12):
                L.add(t, kick(44, .3), .62)
            if s in (4, 11, 14):
                L.add(t, clap(L), .3)
            if s % 2:
                L.add(t, hiss(L, .05, .015), .1)
        elif style == "hand":
            if s in (0, 6, 8, 11, 14):
                L.add(t, pluck(88 if s in (0, 8) else 132, .12, .3), .5)
            if s % 2 == 0:
                L.add(t, hiss(L, .07, .02), .09)
        elif style == "soft":
            if s in (0, 8):
                L.add(t, kick(50, .18), .3)
            if s % 4 == 2:
                L.add(t, hiss(L, .12, .05), .07)
        elif style == "march":
            if s in (0, 8):
                L.add(t, kick(60), .4)
            if s in (4, 6, 7, 12, 14):
                L.add(t, hiss(L, .1, .04, 0), .5)
        elif style == "shuffle":
            if s in (0, 8):
                L.add(t, kick(58), .4)
            if s in (4, 12):
                L.add(t, hiss(L, .12, .05), .22)
            if s in (3, 7, 11, 15):
                L.add(t, hiss(L, .05, .015), .1)


def bass(L, beats, b, scale, root, gain=.35, pattern=(0, 0, 4, 3)):
    for i in range(int(beats)):
        d = pattern[(i // 2) % len(pattern)]
        L.add(i * b, pluck(hz(root - 24 + scale[d % len(scale)]), .28, .4), gain)


def chords(L, beats, b, scale, root, gain=.12, prog=(0, 3, 4, 0), voice="pad"):
    per = beats / len(prog)
    for i, d in enumerate(prog):
        for j in (0, 2, 4):
            note = root + scale[(d + j) % len(scale)] + 12 * ((d + j) // len(scale))
            if voice == "pad":
                L.add(i * per * b, pad(hz(note), per * b + .1), gain)
            else:
                for m in range(int(per)):
                    L.add((i * per + m + .5) * b, pluck(hz(note), .22, .4), gain)


def hooves(L, rate=3.6, gain=.4, horses=3):
    n = round(L.secs * rate)
    step = L.secs / n
    for h in range(horses):
        off = L.r.random() * step
        for i in range(n):
            for q, g in ((0, .7), (.16, .8), (.3, 1.0)):
                t = t_of(.09)
                L.add(i * step + off + q * step * 1.3, (np.sin(2 * np.pi * (95 + 18 * h) * t) + .5 * smooth(L.noise(len(t)), 5)) * env(t, .002, .025), gain * g / horses ** .5)


def crackle(L, n=90, gain=.3):
    for _ in range(int(n)):
        t = t_of(.02)
        L.add(L.r.random() * L.secs, L.noise(len(t)) * env(t, .0005, .004), gain * L.r.random())


def fall(L, gain=.09):
    s = L.noise(L.n)
    L.mix += (s - smooth(s, 5)) * gain
    for _ in range(70):
        L.add(L.r.random() * L.secs, bell(L.r.uniform(1200, 2600), .02), .05)


def engine(L, f=42, gain=.25):
    f = round(f * L.secs) / L.secs
    t = np.arange(L.n) / RATE
    L.mix += sum(np.sin(2 * np.pi * f * h * t + h) / h ** .6 for h in range(1, 8)) * gain * .35 * (1 + .3 * np.sin(2 * np.pi * round(9 * L.secs) / L.secs * t))


def make(kind, secs, seed):
    L = Loop(secs, seed)
    r = L.r
    speed = {"laughs": 1.7, "romance": 1.2, "engine": 1.8, "kwela": 2.1, "marimba": 2.1, "wedding": 2.0, "ring": 1.8, "rain": 1.2, "shrug": 1.6, "chase": 2.6, "amapiano": 1.88,
             "taxi": 2.0, "gym": 2.2, "fire": 1.6, "boeremusiek": 2.2, "tabla": 2.0, "beach": 1.8, "goal": 2.1, "training": 2.1, "tactics": 1.7, "drums": 2.1, "fanfare": 1.9,
             "penalty": 1.6, "maskandi": 2.0, "gqom": 2.1, "drama": 1.1, "heart": 1.15, "kitchen": 1.9, "choir": 1.3, "jazz": 1.9, "kwaito": 1.7, "guitar": 1.8, "train": 2.2,
             "kids": 2.2, "space": 1.6, "news": 2.0, "quiz": 2.1, "race": 2.2, "gates": 2.2, "country": 1.8, "dawn": 1.2}[kind] * r.uniform(.94, 1.06)
    beats = max(8, 4 * round(secs * speed / 4))
    b = secs / beats
    root = 57 + r.randint(0, 7)
    soft = lambda f: pluck(f, .35, .35)
    bright = lambda f: pluck(f, .3, .65)
    ring = lambda f: bell(f, .35)
    horn = lambda f: brass(f, b * .9)
    whist = lambda f: pad(f * 2, b * .9, .03)
    T = lambda scale, voice, **kw: tune(L, beats, scale, kw.pop("root", root), voice, bpm_beat=b, **kw)
    D = lambda style: drums(L, beats, b, style)
    Bs = lambda scale, **kw: bass(L, beats, b, scale, root, **kw)
    Ch = lambda scale, **kw: chords(L, beats, b, scale, root, **kw)
    if kind == "laughs":
        D("soft"), Bs(BLUES, gain=.3), T(BLUES, soft, gain=.16, density=.45)
        for q in (.34, .66, .95):
            laughter(L, q * secs, .9)
        crowd(L, .05)
    elif kind == "romance":
        Ch(MAJOR, prog=(0, 5, 3, 4)), T(MAJOR, ring, gain=.2, density=.5), crackle(L, 40, .1)
    elif kind == "engine":
        engine(L), D("soft"), T(BLUES, bright, gain=.2, density=.5)
    elif kind == "kwela":
        D("shuffle"), Bs(MAJOR, pattern=(0, 3, 0, 4)), Ch(MAJOR, prog=(0, 3, 0, 4), voice="chop", gain=.1), T(MAJOR, whist, gain=.2, step=.5, density=.6)
    elif kind == "marimba":
        D("hand"), Bs(PENTA, gain=.2), T(PENTA, lambda f: bell(f, .16), gain=.34, step=.5, density=.75)
    elif kind == "wedding":
        D("four"), Ch(MAJOR, prog=(0, 4, 5, 3)), T(MAJOR, ring, gain=.22, step=.5, density=.5)
    elif kind == "ring":
        for i in range(int(beats / 4)):
            for j in range(6):
                L.add((i * 4 + j * .25) * b, bell(hz(root + 24 + (0, 4)[j % 2]), .07), .2)
        D("soft"), Bs(PENTA)
    elif kind == "rain":
        fall(L), Ch(MINOR, prog=(0, 5, 3, 4)), T(MINOR, ring, gain=.18, density=.4)
    elif kind == "chase":
        D("gqom" if r.random() < .3 else "four"), Bs(MINOR, gain=.4), T(MINOR, bright, gain=.25, step=.5, density=.8), engine(L, 60, .08)
    elif kind == "amapiano":
        D("amapiano"), Ch(MINOR, prog=(0, 5, 3, 4), gain=.13), T(MINOR, ring, gain=.13, density=.35)
    elif kind == "taxi":
        engine(L, 36, .12), D("four"), Bs(MINOR), T(PENTA, bright, gain=.18, step=.5, density=.5)
        for q in (.2, .25, .7):
            L.add(q * secs, brass(hz(root + 3), .12) + brass(hz(root + 7), .12), .16)
    elif kind == "gym":
        D("four"), Bs(BLUES, gain=.4), T(BLUES, horn, gain=.08, density=.3)
    elif kind == "fire":
        crackle(L, 150, .35), D("soft"), Ch(MAJOR, prog=(0, 3, 4, 0), voice="chop"), T(MAJOR, soft, gain=.2)
    elif kind == "boeremusiek":
        D("shuffle"), Bs(MAJOR, pattern=(0, 4, 0, 4)), Ch(MAJOR, prog=(0, 3, 4, 0), voice="chop", gain=.13), T(MAJOR, lambda f: brass(f, b * .45) * .8, gain=.11, step=.5, density=.8)
    elif kind == "tabla":
        D("hand"), Ch(HARM, prog=(0, 0, 4, 0), gain=.08), T(HARM, bright, gain=.26, step=.5, density=.7)
    elif kind == "beach":
        crowd(L, .09), D("soft"), Ch(MAJOR, prog=(0, 3, 4, 3), voice="chop", gain=.14), T(PENTA, ring, gain=.2, density=.5)
    elif kind == "goal":
        crowd(L, .2, .62), D("hand"), vuvuzela(L, .6 * secs, 2.0), vuvuzela(L, .66 * secs, 1.6, 311), whistle(L, .04 * secs, .3), Bs(PENTA, gain=.2)
        L.add(.36 * secs, kick(70), .8)
    elif kind == "training":
        D("march"), T(PENTA, whist, gain=.16, density=.5)
        for q in (.1, .6):
            whistle(L, q * secs, .22)
    elif kind == "tactics":
        D("soft"), Bs(MINOR), Ch(MINOR, prog=(0, 3, 5, 4), gain=.08), T(MINOR, lambda f: bell(f, .12), gain=.2, step=.5, density=.45)
    elif kind == "drums":
        D("hand"), D("march"), Bs(PENTA, gain=.25), T(PENTA, lambda f: bell(f, .1), gain=.15, density=.5), crowd(L, .05)
    elif kind == "fanfare":
        D("march"), crowd(L, .12, .5), T(MAJOR, horn, gain=.14, density=.65, root=root - 5), Ch(MAJOR, prog=(0, 4, 3, 4), gain=.1)
    elif kind == "penalty":
        crowd(L, .16, .55)
        for i in range(int(beats)):
            L.add(i * b, kick(46, .16), .5), L.add((i + .3) * b, kick(40, .12), .3)
        whistle(L, .2 * secs, .4), vuvuzela(L, .55 * secs, 1.7), L.add(.34 * secs, kick(80), .9)
    elif kind == "maskandi":
        D("shuffle"), Bs(PENTA, pattern=(0, 0, 3, 4)), T(PENTA, bright, gain=.3, step=.25, density=.6), L.add(.4 * secs, brass(hz(root + 5), .35), .08)
    elif kind == "gqom":
        D("gqom"), Ch(HARM, prog=(0, 0, 1, 0), gain=.1), T(HARM, lambda f: bell(f, .08), gain=.15, density=.4)
    elif kind in ("drama", "heart"):
        Ch(MINOR, prog=(0, 5, 3, 4), gain=.16), T(MINOR, soft, gain=.22, density=.35)
        for i in range(0, int(beats)):
            L.add(i * b, kick(42, .14), .4), L.add((i + .28) * b, kick(38, .1), .25)
        if kind == "heart":
            for i in range(int(beats)):
                L.add(i * b, np.sin(2 * np.pi * 880 * t_of(.09)), .08)
    elif kind == "kitchen":
        D("hand"), Bs(MAJOR), Ch(MAJOR, prog=(0, 3, 0, 4), voice="chop"), T(MAJOR, lambda f: bell(f, .12), gain=.2, step=.5, density=.5), crackle(L, 120, .12)
    elif kind == "choir":
        for k in range(3):
            chords(L, beats, b, MAJOR, root - 12 + 12 * (k // 2) + (0, 0, 0)[k], gain=.14, prog=(0, 3, 4, 0))
        T(MAJOR, lambda f: pad(f, b * 1.1, .08), gain=.22, density=.7), D("soft")
    elif kind == "jazz":
        D("shuffle"), bass(L, beats, b, MAJOR, root, .36, (0, 2, 4, 5, 3, 4)), Ch(MAJOR, prog=(0, 5, 1, 4), gain=.07), T(BLUES, horn, gain=.1, step=.5, density=.55)
    elif kind == "kwaito":
        D("four"), Bs(MINOR, gain=.45), T(MINOR, whist, gain=.14, density=.5), Ch(MINOR, prog=(0, 5, 3, 4), voice="chop", gain=.12)
    elif kind == "guitar":
        D("soft"), Ch(MAJOR, prog=(0, 4, 5, 3), voice="chop", gain=.16), T(MAJOR, bright, gain=.24, step=.5, density=.6), Bs(MAJOR, gain=.25)
    elif kind == "train":
        n = round(secs * 3)
        for i in range(n):
            for o in (0, .12):
                L.add(i * secs / n + o, hiss(L, .1, .03, 0), .7)
        for q, f in ((.15, 0), (.2, 0)):
            L.add(q * secs, pad(hz(root + 12), .3, .05) + pad(hz(root + 16), .3, .05), .15)
        T(PENTA, bright, gain=.18, density=.6), Bs(PENTA, gain=.2)
    elif kind == "kids":
        D("soft"), Bs(MAJOR, gain=.2, pattern=(0, 3, 4, 0)), T(MAJOR, lambda f: bell(f * 2, .18), gain=.3, step=.5, density=.8)
    elif kind == "space":
        Ch(MAJOR, prog=(0, 3, 5, 4), gain=.14), T(PENTA, lambda f: bell(f * 2, .3), gain=.22, density=.6)
        L.mix += smooth(L.noise(L.n), 30) * .35 * np.hanning(L.n)
    elif kind == "news":
        D("march" if r.random() < .5 else "four"), Bs(MINOR, pattern=(0, 0, 5, 4)), T(MINOR, horn, gain=.1, density=.5), Ch(MINOR, prog=(0, 5, 3, 4), gain=.09)
        for i in range(int(beats) * 2):
            L.add(i * b / 2, bell(hz(root + 24), .04), .07)
    elif kind == "quiz":
        D("four"), Bs(BLUES), T(MAJOR, lambda f: bell(f, .1), gain=.22, step=.5, density=.7)
        for q in (.17, .5, .83):
            L.add(q * secs, brass(hz(root + 12), .25), .15)
    elif kind in ("race", "gates"):
        hooves(L, 3.4 + r.random() * .5, .45, 4), crowd(L, .13, .7), Bs(MINOR, gain=.25), T(MINOR, horn, gain=.06, density=.35), D("soft")
        if kind == "gates":
            L.add(.3 * secs, hiss(L, .3, .1, 0), 1.2), L.add(.3 * secs, bell(900, .3), .3)
    elif kind == "country":
        D("shuffle"), Bs(MAJOR, pattern=(0, 4, 0, 3)), T(MAJOR, bright, gain=.26, step=.5, density=.7)
        for q in (.2, .45, .8):
            for i in range(3):
                L.add(q * secs + i * .17, pluck(190, .04, .3), .2)
    elif kind == "dawn":
        Ch(MAJOR, prog=(0, 3, 5, 4), gain=.14), hooves(L, 2.6, .22, 2), T(PENTA, whist, gain=.1, density=.35)
        for _ in range(6):
            t = t_of(.16)
            L.add(r.random() * secs, np.sin(2 * np.pi * (2600 * t + 400 * np.sin(40 * t))) * np.sin(np.pi * t / .16), .06)
    else:
        D("soft"), Bs(BLUES), T(BLUES, soft, gain=.25)
    s = np.tanh(L.mix * 1.1)
    return s / max(1e-9, np.abs(s).max()) * .8


def write(path, samples):
    with wave.open(str(path), "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(RATE)
        w.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
