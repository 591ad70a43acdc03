"""A film of two minutes: shots one after the other. The set of a shot stands still and few things move before it, so that every rung stays
small; a shot lasts a multiple of four seconds, so that each cut falls on a keyframe."""
import math
import re

import numpy as np
import skia

from . import play, sound
from .draw import Beat, Ink, dark, ease, fade, fit, light, surface, text_width

W, H = 480, 270
FPS, SHOT = 12, 4
LOOP = 6  # seconds after which gestures begin again
POSES = 6  # a second: gestures are drawn on twos


def shot(secs, set=None, parts=(), mood="calm", view=(.5, .5, 1), sounds=(), heard=(), blur=1.5, **kw):
    """One shot. `view` is where the camera looks and how near; `sounds` are (second, name), `heard` are captions (from, to, words)."""
    assert secs % SHOT == 0, secs
    x, y, near = view
    edge = .5 / near  # the camera never looks beyond the set
    view = min(max(x, edge), 1 - edge), min(max(y, edge), 1 - edge), near
    return dict(secs=secs, set=set, parts=list(parts), mood=mood, view=view, sounds=sounds, heard=heard, blur=blur, kw=kw)


def named(name, part):
    """A person who moves the mouth while a bubble of that name is shown."""
    return part[0], {**part[1], "by": name}


def drawn(f, x, y, s=1.0, flip=False):
    """Something that f(k, q) draws around (0, 0)."""
    return "drawn", dict(f=f, x=x, y=y, s=s, flip=flip)


def say(name, words, begin, end, x=.5, tail=-1):
    """Words in a bubble above `x`, on one line, and in the captions."""
    return "bubble", dict(text=words, x=x, y=.2, at=(begin, end), by=name, kw={"size": 18, "lines": 1, "tail": tail})


def go(part, begin, end, dx, dy=0.0):
    """Moves by so many widths and heights between two seconds of the shot."""
    return part[0], {**part[1], "path": (begin, end, dx, dy)}


def seen(part, begin, end):
    """Only between these seconds."""
    return part[0], {**part[1], "seen": (begin, end)}


def seconds(film):
    return sum(each["secs"] for each in film["shots"])


def starts(film):
    at = 0
    for each in film["shots"]:
        yield at, each
        at += each["secs"]


def _on_ones(each, t):
    """Whether something crosses the picture that would stutter on twos: balls, cars and horses, but no person on foot."""
    return any(p["path"][0] <= t <= p["path"][1] for kind, p in each["parts"] if "path" in p and kind != "actor")


def _backdrop(k, each):
    """What stands still in a shot, a little out of focus, as behind a near lens: that is easy to compress, too."""
    x, y, near = each["view"]
    with k.blurred(each["blur"]), k.at(k.w / 2 - x * k.w * near, k.h / 2 - y * k.h * near, near):
        play.play(k, Beat(.3), set=each["set"], **each["kw"])


def _cast(k, each, t):
    x, y, near = each["view"]
    twos = math.floor(t * POSES) / POSES
    q = Beat(twos / LOOP, LOOP)
    bubbles = [p for kind, p in each["parts"] if kind == "bubble" and p["at"][0] <= t < p["at"][1]]
    speaking = {b["by"] for b in bubbles}
    with k.at(k.w / 2 - x * k.w * near, k.h / 2 - y * k.h * near, near):
        for kind, part in each["parts"]:
            if kind == "bubble" or not part.get("seen", (0, 999))[0] <= t < part.get("seen", (0, 999))[1]:
                continue
            if "path" in part:
                begin, end, dx, dy = part["path"]
                done = ease(((twos if kind == "actor" else t) - begin) / (end - begin))
                part = {"ph": part["x"], **part, "x": part["x"] + dx * done, "y": part["y"] + dy * done}
                if kind == "actor" and begin <= t <= end:
                    part.update(act="walk")
            if kind == "actor":
                if part.get("by") in speaking:
                    part = {**part, "act": "speak", "n": 3}
                elif part["act"] is None:
                    part = {**part, "act": "still"}  # blinks
            if kind == "drawn":
                with k.at(part["x"] * k.w, part["y"] * k.h, k.h / 270 * part["s"], flip=part["flip"]):
                    part["f"](k, q)
            else:
                play.DRAW[kind](k, q, part)
    for b in bubbles:
        play.bubble(k, q, {**b, "at": None, "w": (text_width(b["text"], "lilita", 18) + 30) / k.w})


def title(k, words, line, colours, face="lilita"):
    """The card at the beginning and at the end."""
    ground, ink, accent = colours
    k.back(ground)
    k.circle(k.w / 2, k.h * .5, k.h * .78, light(ground, .06))
    k.circle(k.w / 2, k.h * .5, k.h * .6, light(ground, .12))
    rows, size = fit(words, face, k.w * .8, 2, 46, 20)
    y = k.h * .5 - (len(rows) - 1) * size * .56
    for i, row in enumerate(rows):
        k.text(row, k.w / 2, y + i * size * 1.1, face, size, ink, "c", dark(ground, .5), size * .16)
    y += (len(rows) - 1) * size * 1.1 + 34
    k.rect(k.w / 2 - 30, y - 20, 60, 3, accent, 1.5)
    k.text(line, k.w / 2, y + 4, "poppins", 13, accent, "c")


def card(secs, words, line, colours, face="lilita", mood="calm", heard=()):
    return shot(secs, ("#000000",), [play.F("draw", f=lambda k, q: title(k, words, line, colours, face))], mood, heard=heard)


def still(each, t, scale=1.0):
    """A picture of one moment, without bubbles."""
    s, k = surface(W, H, scale)
    k.quiet = True
    _backdrop(k, each)
    _cast(k, {**each, "parts": [p for p in each["parts"] if p[0] != "bubble"]}, t)
    return s


def frames(film, w, h, fps=FPS):
    """The bytes of each frame, as BGRA."""
    for each in film["shots"]:
        back, k = surface(W, H, w / W)
        _backdrop(k, each)
        ground = back.makeImageSnapshot()
        last = None
        for i in range(each["secs"] * fps):
            t = i / fps
            if last is None or _on_ones(each, t) or i % (fps // POSES) == 0:
                s = skia.Surface(w, h)
                c = s.getCanvas()
                c.drawImage(ground, 0, 0)
                c.scale(w / W, h / H)
                _cast(Ink(c, W, H), each, t)
                last = s.makeImageSnapshot().tobytes()
            yield last


def cues(film):
    """Captions: what is said, by whom, and what is heard."""
    out = []
    for at, each in starts(film):
        for kind, part in each["parts"]:
            if kind == "bubble":
                name = f"{part['by']}: " if part["by"] else ""
                out.append((at + part["at"][0], at + part["at"][1], name + part["text"]))
        out += [(at + begin, at + end, words) for begin, end, words in each["heard"]]
    return sorted(out)


# Music: plucked strings and wood with short tails. AAC spends little on what fades at once.
MOODS = {  # scale, how long a note rings, how many beats have one, steps of a beat, bass, drums
    "calm": (sound.PENTA, .075, .45, 1, (0, 0, 3, 4), None),
    "glad": (sound.PENTA, .05, .7, 1, (0, 3, 4, 0), "hand"),
    "busy": (sound.PENTA, .04, .35, .5, (0, 0, 4, 3), "hand"),
    "tense": (sound.MINOR, .05, .35, 1, (0, 0, 5, 4), "tick"),
    "sad": (sound.MINOR, .09, .35, 1, (0, 5, 3, 4), None),
    "none": None,
}


def _music(L, start, secs, mood, seed, root, beat):
    if MOODS[mood] is None:
        return
    scale, ring, density, step, low, drums = MOODS[mood]
    part = sound.Loop(secs, f"{seed} {mood}")
    beats = secs / beat
    sound.tune(part, beats, scale, root, lambda f: sound.pluck(f, ring, .3), gain=.3, density=density, step=step, bpm_beat=beat)
    for i in range(0, int(beats), 2):
        d = low[(i // 4) % len(low)]
        part.add(i * beat, sound.pluck(sound.hz(root - 24 + scale[d % len(scale)]), .06, .25), .34)
        if drums == "tick":
            part.add(i * beat, sound.pluck(900, .01, .3), .12)
        elif drums:
            part.add(i * beat, sound.pluck(92, .05, .3), .35)
            if i % 4:
                part.add((i + .5) * beat, sound.pluck(138, .04, .3), .3)
    L.add(start, part.mix)


VOICES = {"low": 105, "man": 135, "woman": 205, "old": 170, "child": 300}


def _speech(L, at, words, secs, pitch, seed):
    """No words are spoken here; a wooden voice has as many syllables as they have."""
    r = L.r
    count = min(len(re.findall(r"[aeiouy]+", words.lower())), int(secs * 6))
    for i in range(count):
        f = pitch * (1 + .16 * math.sin(i * 1.7 + len(words)) + r.uniform(-.05, .05))
        if i == count - 1:
            f *= 1.25 if words.endswith(("?", "!")) else .85
        L.add(at + .1 + i / 6.2, sound.pluck(f, .035, .62), .42)


def _noise(L, at, secs, k, gain, shape):
    t = sound.t_of(secs)
    L.add(at, sound.smooth(L.noise(len(t)), k) * shape(t / secs), gain)


def _effect(L, at, name):
    pluck, add = sound.pluck, L.add
    if name == "laughs":
        sound.laughter(L, at, .8)
    elif name == "click":
        add(at, pluck(1400, .01, .7), .6), add(at + .06, pluck(700, .012, .7), .5)
    elif name == "out":  # the power goes
        for i in range(8):
            add(at + .09 * i, pluck(420 * .8 ** i, .07, .5), .5)
    elif name == "on":
        for i in range(6):
            add(at + .08 * i, pluck(260 * 1.22 ** i, .08, .5), .4)
    elif name == "knock":
        for i in range(3):
            add(at + .22 * i, pluck(150, .03, .6), .9)
    elif name == "engine":
        for i in range(40):
            add(at + i * .085, pluck(58 + 3 * (i % 2), .03, .75), .5)
    elif name == "cough":
        for i in range(7):
            add(at + i * (.1 + .05 * i), pluck(58 - 4 * i, .04, .75), .5)
    elif name == "bounce":
        for i in range(4):
            add(at + .34 * i * (1 - .08 * i), pluck(120, .04, .35), .7 * .7 ** i)
    elif name == "kick":
        add(at, sound.kick(70, .1), .9)
    elif name == "whistle":
        sound.whistle(L, at, .45)
    elif name == "bell":
        add(at, sound.bell(880, .2), .35), add(at + .25, sound.bell(1175, .25), .3)
    elif name == "bleat":
        for i in range(9):
            add(at + i * .05, pluck(330 - 6 * i, .03, .85), .35)
    elif name == "cheer":
        _noise(L, at, 2.2, 14, 1.6, lambda p: np.minimum(1, p / .15) * (1 - p) ** 1.5)
    elif name == "hooves":
        for i in range(12):
            for j, g in ((0, .6), (.1, .7), (.19, .9)):
                add(at + i * .32 + j, pluck(110, .02, .4), g * .6)
    elif name == "steps":
        for i in range(6):
            add(at + i * .45, pluck(80, .02, .3), .45)
    elif name == "hoot":
        add(at, pluck(392, .12, .8), .4), add(at + .28, pluck(392, .2, .8), .4)
    elif name == "crunch":
        for i in range(3):
            _noise(L, at + .28 * i, .07, 3, .6, lambda p: (1 - p) ** 2)
    else:
        raise ValueError(name)


def score(film):
    """The whole sound: music by the mood of the shots, wooden voices, noises."""
    L = sound.Loop(seconds(film), f"{film['folder']} {film['slug']}")
    root, beat = film.get("root", 64), film.get("beat", .5)
    run = []  # neighbouring shots of one mood share one melody
    for at, each in starts(film):
        if run and run[-1][2] == each["mood"]:
            run[-1][1] += each["secs"]
        else:
            run.append([at, each["secs"], each["mood"]])
    for at, secs, mood in run:
        _music(L, at, secs, mood, film["slug"], root, beat)
    for at, each in starts(film):
        for kind, part in each["parts"]:
            if kind == "bubble" and part["by"]:
                begin, end = part["at"]
                _speech(L, at + begin, part["text"], end - begin, VOICES[film["voices"][part["by"]]], film["slug"])
        for second, name in each["sounds"]:
            _effect(L, at + second, name)
    s = np.tanh(L.mix * 1.1)
    return s / max(1e-9, np.abs(s).max()) * .8
