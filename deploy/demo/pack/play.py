"""Staging: puts a cast, props, speech and effects on a set. One staging serves a still (a fixed Beat) and a looping clip."""
import math

from . import cast as C, props as P, sets as S
from .cast import look
from .draw import dark, ease, fade, fit, light

PEOPLE = {
    "gogo": look(skin="cocoa", hair="shaved", hat="doek", hat_c="#c8327d", top="print", top_c="#2f7f86", top_c2="#ffd24a", legs="skirt", legs_c="#2f5f6a", age=1, glasses="round", glasses_c="#c9a24a", build=1.15, shoes_c="#5a3a2a", lash=True),
    "mkhulu": look(skin="deep", hair="balding", hair_c="#e9e5dd", beard="full", hat="fedora", hat_c="#6a4a30", top="vest", top_c="#5a4a3a", top_c2="#c9a24a", legs_c="#4a4038", age=1, shoes_c="#2a201a"),
    "mama": look(skin="brown", hair="braids", top="apron", top_c="#e5677d", top_c2="#fff3d6", legs="skirt", legs_c="#7a3f5a", lash=True, ear="hoop", build=1.1),
    "baba": look(skin="cocoa", hair="fade", beard="full", top="shirt", top_c="#3a6fb0", legs_c="#3a3f4a", build=1.15, glasses="square"),
    "student": look(skin="caramel", hair="twists", top="hoodie", top_c="#7a5cc4", top_c2="#ffffff", legs_c="#2f3a55"),
    "learner": look(skin="brown", hair="fade", top="school", top_c="#1f4f3a", top_c2="#d9a62e", legs="shorts", legs_c="#8f959f", socks="#1f4f3a", shoes_c="#15151a", jaw=.54),
    "learnergirl": look(skin="cocoa", hair="puffs", top="school", top_c="#7a1f2e", top_c2="#d9d2c2", legs="skirt", legs_c="#7a1f2e", socks="#ffffff", shoes_c="#15151a", lash=True, jaw=.54),
    "teacher": look(skin="honey", hair="bun", top="blazer", top_c="#3f5f9a", top_c2="#ffd24a", legs="skirt", legs_c="#2a3a5f", glasses="square", glasses_c="#8a2f3a", lash=True),
    "driver": look(skin="deep", hair="fade", beard="goatee", hat="bucket", hat_c="#e8e0cc", top="shirt", top_c="#d9a62e", top_c2="#2a2a2a", legs_c="#3a3028", build=1.2),
    "gaatjie": look(skin="caramel", hair="side", hat="cap", hat_c="#2f6fde", top="tee", top_c="#f28a2e", legs_c="#2f3a55", beard="chin"),
    "boss": look(skin="peach", hair="balding", hair_c="#8a7a66", top="suit", top_c="#39425a", top_c2="#c8434e", legs_c="#2f3648", build=1.2, age=1),
    "bosslady": look(skin="cocoa", hair="bob", top="suit", top_c="#7a2f5f", top_c2="#f3c1d6", legs="skirt", legs_c="#5a2348", lash=True, ear="stud"),
    "clerk": look(skin="tan", hair="long", hair_c="#3a2418", top="shirt", top_c="#f0e6da", legs_c="#5a4a6a", glasses="round", lash=True),
    "intern": look(skin="honey", hair="curly", top="shirt", top_c="#8fd0e0", legs_c="#3a3f4a", glasses="round"),
    "shop": look(skin="caramel", hair="fade", beard="full", top="shirt", top_c="#8a5cc4", legs_c="#3a3040", build=1.1),
    "uncle": look(skin="tan", hair="side", hair_c="#6b4a2a", beard="tache", top="shirt", top_c="#5a8f4f", legs="shorts", legs_c="#c9a872", build=1.25, jaw=.56, hat="cap", hat_c="#3f6f3f"),
    "aunty": look(skin="honey", hair="long", top="dress", top_c="#c8327d", top_c2="#ffd24a", lash=True, ear="hoop", build=1.1, legs="skirt", legs_c="#c8327d"),
    "braaiguy": look(skin="peach", hair="side", hair_c="#a8743c", beard="full", top="apron", top_c="#4a7ac0", top_c2="#c8434e", legs="shorts", legs_c="#c9b48a", build=1.2, hat="cap", hat_c="#2a5f3f"),
    "friend": look(skin="brown", hair="hightop", top="stripe", top_c="#ffffff", top_c2="#2f86c9", legs_c="#2f3a55"),
    "girl": look(skin="caramel", hair="afro", top="dots", top_c="#f2b632", top_c2="#ffffff", legs="skirt", legs_c="#2f7f86", lash=True, ear="hoop"),
    "lady": look(skin="brown", hair="locs", top="tee", top_c="#3dbf8a", legs_c="#3a3f5a", lash=True, ear="stud"),
    "cool": look(skin="cocoa", hair="hightop", glasses="shades", top="hoodie", top_c="#20242f", top_c2="#3ddc84", legs_c="#15171f"),
    "fan": look(skin="deep", hair="fade", hat="helmet", hat_c="#ffd23f", top="kit", top_c="#ffd23f", top_c2="#15151a", glasses="round", glasses_c="#3ddc84", legs_c="#15151a"),
    "fan2": look(skin="caramel", hair="puff", top="kit", top_c="#3ddc84", top_c2="#ffffff", legs_c="#2f3a55", lash=True, ear="hoop"),
    "ref": look(skin="cocoa", hair="shaved", top="kit", top_c="#1a1a22", top_c2="#d8f04a", legs="shorts", legs_c="#15151a", socks="#15151a"),
    "coach": look(skin="deep", hair="fade", hair_c="#8f8f92", beard="tache", top="jersey", top_c="#1f4e9c", top_c2="#ffffff", hat="cap", hat_c="#1f4e9c", legs_c="#1f2f55", build=1.2, age=1),
    "nurse": look(skin="brown", hair="bun", top="shirt", top_c="#3fb0b8", legs_c="#3fb0b8", lash=True),
    "doctor": look(skin="honey", hair="bob", hair_c="#241a18", top="coat", top_c="#ffffff", legs_c="#3a4a5f", glasses="square", lash=True),
    "bride": look(skin="caramel", hair="bun", top="tee", top_c="#ffffff", legs="skirt", legs_c="#ffffff", lash=True, ear="stud", lips="#c8325a"),
    "groom": look(skin="deep", hair="waves", beard="chin", top="suit", top_c="#1f2f5f", top_c2="#f0b84a", legs_c="#1a2850"),
    "chef": look(skin="cocoa", hair="shaved", hat="chef", top="apron", top_c="#ffffff", top_c2="#e8eef2", legs_c="#3a3f4a", beard="goatee", build=1.15),
    "dj": look(skin="deep", hair="locs", hat="headset", hat_c="#ff3d8b", top="tee", top_c="#15151f", glasses="shades", legs_c="#15151f"),
    "singer": look(skin="brown", hair="bigafro", top="dress", top_c="#ffb020", top_c2="#ff5d73", lash=True, ear="hoop", lips="#c8325a", legs="skirt", legs_c="#ffb020"),
    "guitarist": look(skin="cocoa", hair="fade", hat="bucket", hat_c="#c8434e", top="vest", top_c="#5a3a24", top_c2="#ffd24a", legs_c="#6a4a30"),
    "anchor": look(skin="caramel", hair="bob", top="suit", top_c="#c8434e", top_c2="#ffffff", lash=True, ear="stud", legs_c="#5a2028"),
    "anchorman": look(skin="cocoa", hair="waves", top="suit", top_c="#24407a", top_c2="#ffd23f", legs_c="#1f2f55", glasses="square"),
    "guard": look(skin="deep", hair="fade", hat="cap", hat_c="#2a2f3a", top="hivis", top_c="#d8e04a", legs_c="#2a2f3a", build=1.2),
    "kid": look(skin="brown", hair="puffs", top="overall", top_c="#ff8ac4", top_c2="#5ac8fa", legs_c="#5ac8fa", lash=True, jaw=.58),
    "boy": look(skin="cocoa", hair="fade", top="overall", top_c="#ffe27a", top_c2="#e5484d", legs="shorts", legs_c="#e5484d", jaw=.58),
    "blondie": look(skin="fair", hair="ponytail", hair_c="#d9a648", top="tee", top_c="#5aa9e6", legs="shorts", legs_c="#2f5fa0", lash=True, freckles=True),
    "plumber": look(skin="honey", hair="balding", beard="stubble", top="overall", top_c="#8d99ae", top_c2="#2f5fa0", legs_c="#2f5fa0", build=1.2),
    "pastor": look(skin="deep", hair="fade", hair_c="#8f8f92", top="suit", top_c="#e9e2f5", top_c2="#7a2fa0", legs_c="#d8d0e8", glasses="round"),
    "barber": look(skin="caramel", hair="mohawk", top="apron", top_c="#15151f", top_c2="#3a3f4e", legs_c="#15151f", beard="chin"),
    "influencer": look(skin="caramel", hair="long", hair_c="#5a2a1a", top="tee", top_c="#ff8ac4", legs="skirt", legs_c="#ffffff", lash=True, ear="hoop", glasses="shades", lips="#d6336c"),
}


def who(name):
    return PEOPLE[name] if isinstance(name, str) else name


def item(name, q=None):
    """Something in a hand, drawn in figure units."""
    if name is None or callable(name):
        return name
    def small(f, s=.02, dx=0, dy=0, rot=0, **kw):
        def draw(k):
            with k.at(dx, dy, s, rot=rot):
                f(k, **kw)
        return draw
    table = {
        "mic": P.mic,
        "phone": small(P.phone, .0135, 0, .55, 8),
        "tongs": lambda k: (k.limb([(0, .2), (-.1, -1.5)], "#c5c8d0", .13), k.limb([(0, .2), (.25, -1.5)], "#aab0bd", .13)),
        "spoon": lambda k: (k.limb([(0, .5), (0, -1.2)], "#b5793f", .16), k.oval(0, -1.4, .26, .36, "#b5793f")),
        "cup": lambda k: (k.rect(-.32, -.7, .64, .75, "#f4f0e6", .1), k.rect(-.32, -.45, .64, .2, "#c8434e"), k.arc(.36, -.32, .2, .2, -90, 180, "#f4f0e6", .1)),
        "note": small(P.note, .021, 0, -.2), "coin": small(P.coin, .024, 0, -.25), "paper": small(P.paper, .02, 0, .4),
        "umbrella": small(P.umbrella, .026), "candle": small(P.candle, .016, 0, .1), "cooler": small(P.cooler, .022, 0, .9),
        "ball": small(P.ball, .045, 0, -.4), "vuvuzela": small(P.vuvuzela, .018), "trophy": small(P.trophy, .019, 0, .3),
        "icecream": small(P.icecream, .02, 0, .2), "gift": small(P.gift, .02, .3, .5), "loaf": small(P.loaf, .016, 0, .2),
        "kota": small(lambda k: P.plate(k, "kota"), .013, 0, .1), "bunny": small(lambda k: P.plate(k, "bunny"), .014, 0, .1),
        "pap": small(lambda k: P.plate(k, "pap"), .014, 0, .1), "cake": small(lambda k: P.plate(k, "cake"), .014, 0, .1),
        "tub": small(P.tub, .018, 0, .5), "kettle": small(P.kettle, .014, 0, .6), "router": small(P.router, .016, 0, .2),
        "torch": lambda k: (k.poly([(-.14, -.5), (-2.6, -4.2), (2.0, -4.6), (.14, -.5)], k.vgrad(-4.5, -.4, "#fff3b000", "#fff3b0c0")), k.limb([(0, .3), (0, -.4)], "#c8434e", .3)),
        "card": lambda k: k.rect(-.3, -1.1, .6, .9, "#e5484d", .06), "yellow": lambda k: k.rect(-.3, -1.1, .6, .9, "#ffd23f", .06),
        "whistle": lambda k: (k.circle(0, -.2, .22, "#d8dde6"), k.rect(-.05, -.42, .5, .2, "#d8dde6", .05)),
        "remote": lambda k: k.rect(-.14, -.9, .28, 1.0, "#20222c", .08), "broom": lambda k: (k.limb([(0, 2.4), (0, -2.6)], "#b5793f", .14), k.poly([(-.5, 3.4), (.5, 3.4), (.25, 2.3), (-.25, 2.3)], "#e0b44a")),
        "guitar": lambda k: (k.limb([(-.2, .3), (-2.6, -1.4)], "#5a3a24", .2), k.oval(.3, .55, .75, .6, "#c8743a", rot=-35), k.oval(-.35, .1, .52, .45, "#c8743a", rot=-35), k.circle(.1, .4, .24, "#3a2015")),
        "stop": lambda k: (k.limb([(0, 1.4), (0, -1.0)], "#b5793f", .14), k.circle(0, -1.6, .75, "#e5484d"), k.circle(0, -1.6, .62, "#e5484d")),
        "scissors": lambda k: (k.limb([(0, 0), (.5, -1.1)], "#c9ced8", .12), k.limb([(.2, 0), (-.1, -1.1)], "#aab0bd", .12)),
        "bag": lambda k: (k.rect(-.55, .1, 1.1, 1.2, "#f2b632", .1), k.arc(0, .15, .3, .35, 180, 180, "#c98f1e", .12)),
        "flag": lambda k: (k.limb([(0, .6), (0, -2.2)], "#6a4a30", .12), k.poly([(0, -2.2), (1.6, -1.9), (0, -1.2)], "#3ddc84")),
        "book": lambda k: (k.rect(-.5, -.9, 1.0, 1.1, "#2f6fde", .06), k.rect(-.42, -.9, .1, 1.1, "#1f4e9c")),
        "board": lambda k: (k.rect(-.6, -1.1, 1.2, 1.5, "#8a5a36", .06), k.rect(-.5, -.98, 1.0, 1.28, "#ffffff")),
        "trumpet": lambda k: (k.limb([(-1.3, -.1), (.3, -.1)], "#f2c230", .2), k.poly([(.2, -.15), (1.1, -.65), (1.1, .45)], "#f2c230")),
    }
    return table[name]


def A(name, x, u=.085, y=.94, pose="stand", expr="smile", act=None, **kw):
    return ("actor", dict(look=name, x=x, u=u, y=y, pose=pose, expr=expr, act=act, **kw))


def O(name, x, y, s=1.0, act=None, rot=0, flip=False, **kw):
    return ("thing", dict(name=name, x=x, y=y, s=s, act=act, rot=rot, flip=flip, kw=kw))


def B(text, x, y, w=.3, at=None, **kw):
    return ("bubble", dict(text=text, x=x, y=y, w=w, at=at, kw=kw))


def F(name, **kw):
    return ("fx", dict(name=name, **kw))


ANIMALS = {"dog": C.dog, "goat": C.goat, "hadeda": C.hadeda, "meerkat": C.meerkat, "elephant": C.elephant, "giraffe": C.giraffe,
           "penguin": C.penguin, "cow": C.cow, "monkey": C.monkey, "chicken": C.chicken}
MOVING = {"candle": "t", "potjie": "t", "braai": "t", "kettle": "steam"}


def actor(k, q, a):
    L = who(a["look"])
    P_ = {s: list(v) for s, v in C.arm_pose(a["pose"]).items()}
    act, x, y, u = a["act"], a["x"] * k.w, a["y"] * k.h, a["u"] * k.h
    ph = a.get("ph", a["x"])
    tilt, lean, talk, walk, expr = a.get("tilt", 0), a.get("lean", 0), 0, a.get("walk"), a["expr"]
    blink = 1 if (q.saw(2, ph) > .965 and act) else 0
    hx = hy = 0.0
    n = a.get("n", 3)
    if act == "talk":
        talk = max(0, q.sin(n * 3, ph) * .6 + q.sin(n * 2 + 1, ph * 2) * .6) * (1 if q.sin(2, ph) > -.6 else 0)
        tilt += 4 * q.sin(2, ph)
        P_["r"][1] += 12 * q.sin(n, ph)
        P_["r"][0] += 5 * q.sin(3, ph)
        P_["l"][1] += 9 * q.sin(3, ph + .2)
        hy = .06 * q.sin(n, ph)
    elif act == "speak":  # calmer than talk: the mouth and one hand
        talk = max(0, q.sin(n * 3, ph) * .6 + q.sin(n * 2 + 1, ph * 2) * .6)
        P_["r"][1] += 9 * q.sin(2, ph)
    elif act == "laugh":
        hy = .16 * q.hop(n * 3, ph)
        tilt += 6 * q.sin(n, ph)
        y -= u * .12 * q.hop(n * 3, ph)
    elif act == "dance":
        s = q.sin(n, ph)
        P_["l"][0] += 34 * s
        P_["l"][1] += 60 * q.sin(n, ph + .15)
        P_["r"][0] -= 34 * s
        P_["r"][1] += 60 * q.sin(n, ph + .6)
        lean += 7 * s
        tilt -= 8 * s
        x += u * .5 * s
        y -= u * .35 * q.hop(n * 2, ph)
        walk = (q.saw(n, ph)) if a.get("step", True) else None
    elif act == "walk":
        walk = q.saw(n, ph)
        w = math.sin(2 * math.pi * walk)
        P_ = {"l": (P_["l"][0] + 26 * w, P_["l"][1] + 34 * w), "r": (P_["r"][0] + 26 * w, P_["r"][1] + 34 * w)} if a["pose"] == "stand" else P_
        y -= u * .2 * q.hop(n * 2, ph)
        lean += a.get("run", 0)
    elif act == "shake":
        x += u * .12 * q.sin(n * 5, ph)
        tilt += 3 * q.sin(n * 4, ph)
    elif act == "bob":
        hy = .1 * q.sin(n, ph)
        tilt += 3 * q.sin(n // 2 or 1, ph)
        P_["r"][1] += 6 * q.sin(n, ph)
    elif act == "nod":
        hy = .14 * q.hop(n, ph)
        tilt += 2 * q.sin(2, ph)
    elif act == "wave":
        P_["r"][1] += 24 * q.sin(n * 2, ph)
        tilt += 3 * q.sin(n, ph)
    elif act == "cheer":
        y -= u * 1.0 * q.hop(n, ph)
        P_["l"][1] += 16 * q.sin(n, ph)
        P_["r"][1] += 16 * q.sin(n, ph)
    elif act == "stir":
        P_["r"] = (P_["r"][0] + 8 * q.cos(n, ph), P_["r"][1] + 18 * q.sin(n, ph))
        tilt += 3 * q.sin(2, ph)
    elif act == "look":
        a = {**a, "gaze": (q.sin(2, ph), 0)}
        tilt += 3 * q.sin(2, ph)
    elif act == "strum":
        P_["r"][1] += 16 * q.sin(n * 2, ph)
        lean += 3 * q.sin(n, ph)
        hy = .1 * q.hop(n * 2, ph)
    elif act == "sleep":
        hy = .1 * q.sin(2, ph)
    if not a.get("float"):
        k.oval(a["x"] * k.w + u * .1, a["y"] * k.h + u * .15, u * 1.5, u * .3, "#00000030")
    with k.at(x, y, u, flip=a.get("flip", False)):
        C.figure(k, L, expr=expr, gaze=a.get("gaze", (0, 0)), blink=blink, talk=talk, tilt=tilt, lean=lean, walk=walk, sit=a.get("sit", False),
                 item=item(a.get("item")), item_l=item(a.get("item_l")), arms=P_, headoff=(hx, hy))


def thing(k, q, o):
    x, y, s, rot, name, kw = o["x"] * k.w, o["y"] * k.h, o["s"] * k.h / 270, o["rot"], o["name"], dict(o["kw"])
    act, ph = o["act"], o["x"]
    n = kw.pop("n", 2)
    if act == "bob":
        y -= 6 * s * q.sin(n, ph)
    elif act == "hop":
        y -= 16 * s * q.hop(n * 2, ph)
    elif act == "shake":
        x += 2 * s * q.sin(9, ph)
        rot += 2 * q.sin(7, ph)
    elif act == "swing":
        rot += 8 * q.sin(n, ph)
    elif act == "float":
        y -= 14 * s * q.sin(1, ph)
        x += 8 * s * q.cos(1, ph)
    elif act == "spin":
        rot += 360 * q.saw(n)
    elif act == "pulse":
        s *= 1 + .07 * q.sin(n * 2, ph)
    elif act == "drive":
        x = (-.35 + 1.7 * q.saw(1, o["x"])) * k.w
        y -= 2 * s * q.hop(9)
        kw["spin"] = q.saw(9)
    elif act == "rumble":
        y -= 2 * s * q.hop(8)
        kw["spin"] = q.saw(8)
    if name in ANIMALS:
        extra = {"dog": ("wag", q.sin(6)), "goat": ("chew", q.sin(5)), "hadeda": ("beak", max(0, q.sin(4))), "meerkat": ("look_x", q.sin(2, ph)),
                 "elephant": ("trunk", q.sin(2)), "giraffe": ("nod", q.sin(2)), "penguin": ("flap", q.hop(4)), "cow": ("chew", q.sin(5)),
                 "monkey": ("arms", .5 + .5 * q.sin(3)), "chicken": ("peck", q.hop(4))}[name]
        kw.setdefault(*extra)
        k.oval(x, y, s * 34, s * 5, "#00000030")
        with k.at(x, y, s * 20, rot=rot, flip=o["flip"]):
            ANIMALS[name](k, **kw)
        return
    if name in MOVING:
        kw.setdefault(MOVING[name], q.saw(4))
    f = getattr(P, name)
    with k.at(x, y, s, rot=rot, flip=o["flip"]):
        f(k, **kw)


def effect(k, q, f):
    name = f["name"]
    h = k.h
    if name == "haha":
        words = f.get("words", ("HA", "HA!", "HE", "HA"))
        for i in range(f.get("count", 6)):
            t = q.saw(2, i / f.get("count", 6))
            side = -1 if i % 2 else 1
            x = k.w * (.5 + side * (.2 + .2 * ((i * 7) % 5) / 5 + .05 * math.sin(t * 5)))
            y = h * (.75 - .62 * t)
            with k.at(x, y, h / 270 * (.7 + .5 * math.sin(math.pi * t)), rot=side * 12 * math.sin(t * 7)):
                c = ("#ffd23f", "#ff5d73", "#5ac8fa", "#3ddc84")[i % 4]
                a = math.sin(math.pi * t) ** .5
                k.text(words[i % len(words)], 0, 0, "bangers", 34, fade(c, a), "c", fade("#180a22", a), 6)
    elif name == "confetti":
        P.confetti(k, k.w, h, q.p * f.get("n", 2), 34)
    elif name == "rain":
        P.rain(k, k.w, h, q.p * 4, 24)
    elif name == "notes":
        P.notes(k, f.get("x", .5) * k.w, f.get("y", .6) * h, q.saw(2), f.get("c", "#ffffff"), f.get("count", 5), k.w * .09, h * .42)
    elif name == "flicker":
        on = q.saw(1) < .45 or .5 < q.saw(1) < .54
        if not on:
            k.rect(-20, -20, k.w + 40, h + 40, "#06061cd0")
    elif name == "dark":
        k.rect(-20, -20, k.w + 40, h + 40, f.get("c", "#08082acc"))
    elif name == "glow":
        k.glow(f["x"] * k.w, f["y"] * h, f.get("r", .4) * h * (1 + .05 * q.sin(5)), f.get("c", "#ffb648"), f.get("a", .6))
    elif name == "hearts":
        for i in range(7):
            t = q.saw(1, i / 7)
            with k.at(k.w * (f.get("x", .5) + .05 * math.sin(i * 2 + t * 6) + .03 * (i - 3)), h * (f.get("y", .6) - .5 * t), h / 270 * (.5 + .12 * (i % 3))):
                heart(k, fade("#ff4d6d", math.sin(math.pi * t)))
    elif name == "zzz":
        for i in range(3):
            t = q.saw(2, i / 3)
            k.text("Z", f["x"] * k.w + 26 * t * h / 270, f["y"] * h - 60 * t * h / 270, "lilita", (12 + 16 * t) * h / 270, fade("#ffffff", 1 - t), "c", fade("#2a2f6a", 1 - t), 4)
    elif name == "smoke":
        for i in range(9):
            t = q.saw(2, i / 9)
            k.circle(f["x"] * k.w + math.sin(i * 2 + t * 5) * 20 * h / 270, f["y"] * h - t * h * .55, h * (.03 + .08 * t), fade(f.get("c", "#e9e9f2"), .42 * (1 - t)))
    elif name == "steam":
        P.wisps(k, f["x"] * k.w, f["y"] * h, q.saw(3), "#ffffff", 4, h * .28)
    elif name == "sweat":
        for i in range(3):
            t = q.saw(3, i / 3)
            k.oval(f["x"] * k.w + (14 + 20 * t) * (1 if i % 2 else -1) * h / 270, f["y"] * h - 20 * math.sin(t * 3.1) * h / 270, 3.5 * h / 270, 5.5 * h / 270, fade("#8fdcff", 1 - t))
    elif name == "heat":
        for i in range(5):
            pts = [(k.w * (.1 + .2 * i) + 6 * math.sin(j * 1.3 + q.p * 12.566), h * (.9 - .1 * j)) for j in range(6)]
            k.spline(pts, "#ffffff40", 4, closed=False)
    elif name == "lines":
        for i in range(10):
            y = h * (.15 + .08 * i)
            x = k.w * (1.2 - 1.6 * q.saw(5, i * .31))
            k.line(x, y, x + k.w * .12, y, "#ffffff70", 2.5)
    elif name == "rays":
        c = f.get("c", "#ffffff2c")
        for i in range(14):
            a = 2 * math.pi * (i / 14 + q.p / 7)
            x, y = f.get("x", .5) * k.w, f.get("y", .5) * h
            k.poly([(x, y), (x + 900 * math.cos(a), y + 900 * math.sin(a)), (x + 900 * math.cos(a + .22), y + 900 * math.sin(a + .22))], c)
    elif name == "text":
        s = f.get("size", .16) * h
        with k.at(f["x"] * k.w, f["y"] * h + h * .012 * q.sin(2), 1 + .04 * q.sin(4), rot=f.get("rot", 0)):
            k.text(f["text"], 0, 0, f.get("font", "bangers"), s, f.get("c", "#ffd23f"), "c", f.get("o", "#1b1026"), s * .18)
    elif name == "burst":
        a = f.get("at")
        g = 1.0
        if a:
            if not a[0] <= q.p <= a[1]:
                return
            g = min(1, (q.p - a[0]) / .03 + .3)
        with k.at(f["x"] * k.w, f["y"] * h, g * h / 270 * f.get("s", 1) * (1 + .05 * q.sin(8)), rot=f.get("rot", -7)):
            P.burst(k, f["text"], 52, f.get("c", "#ffd23f"))
    elif name == "counter":
        k.rect(-20, h * .74, k.w + 40, h * .05, light(f["c"], .25))
        k.rect(-20, h * .785, k.w + 40, h, f["c"])
        for i in range(12):
            k.line(k.w * i / 11, h * .79, k.w * i / 11, h, dark(f["c"], .2), 2)
    elif name == "seats":
        S.seats(k, f.get("v", 0), f.get("y", .72))
    elif name == "desks":
        S.school_desks(k)
    elif name == "heads":
        S.heads_front(k, q)
    elif name == "steer":
        k.circle(f["x"] * k.w, f["y"] * h, h * .14, "#15161f", 9 * h / 270)
        k.line(f["x"] * k.w - h * .13, f["y"] * h, f["x"] * k.w + h * .13, f["y"] * h, "#15161f", 7 * h / 270)
    elif name == "blanket":
        k.spline([(k.w * .2, h * .78), (k.w * .5, h * .7), (k.w * .85, h * .76), (k.w * 1.1, h * 1.1), (k.w * .1, h * 1.1)], f.get("c", "#e5677d"))
    elif name == "draw":
        f["f"](k, q)


def heart(k, c):
    k.path("M 0,12 C -26,-8 -20,-28 -8,-26 C -2,-25 0,-20 0,-16 C 0,-20 2,-25 8,-26 C 20,-28 26,-8 0,12 Z", c)


def bubble(k, q, b):
    if k.quiet:
        return
    if b["at"]:
        t0, t1 = b["at"]
        if not t0 <= q.p <= t1:
            return
        g = ease((q.p - t0) / .035) if q.p - t0 < .035 else ease((t1 - q.p) / .03)
        if g <= .02:
            return
    else:
        g = 1
    w, kw, u = b["w"] * k.w * 270 / k.h, b["kw"], k.h / 270
    rows, size = fit(b["text"], kw.get("name", "lilita"), w - 22, kw.get("lines", 2), kw.get("size", 22), 9)
    top = (len(rows) * size * 1.08 + 18 + 24) * u
    lean = -kw.get("tail", -1) * w * .22 * u  # the bubble stands beside its tail
    x = min(max(b["x"] * k.w + lean, w * u / 2 + 12), k.w - w * u / 2 - 12) - lean
    with k.at(x, max(b["y"] * k.h, top + b.get("min_y", 0)), g * u):
        P.bubble(k, b["text"], w, **kw)


DRAW = {"actor": actor, "thing": thing, "bubble": bubble, "fx": effect}


def play(k, q, set=None, v=0, parts=(), **kw):
    """Draws the set, then the parts in order. kw goes to the set; "roll" scrolls it that many widths per loop."""
    roll = kw.pop("roll", 0)
    if roll:
        kw["off"] = q.saw(1) if roll == 1 else (q.p * roll) % 1
    if isinstance(set, str):
        S.ALL[set](k, q, v, **kw)
    else:
        k.back(*(set or ("#333344",)))
    for kind, part in parts:
        DRAW[kind](k, q, part)
