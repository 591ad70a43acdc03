"""What is said and heard in the films and some of the clips, for who cannot hear it: WebVTT beside the clip."""
from .film import cues
from .films import FILMS

# folder/slug: (from, to, words), in seconds
LINES = {
    "mcfunny/kettle-conspiracy": [
        (0.4, 2.4, "It boils at 5:59!"), (2.4, 3.1, "[laughter]"), (3.1, 5.4, "Power gone at 6!"), (5.4, 6, "[laughter]")],
    "mcfunny/gogo-and-the-inverter": [(0.3, 3.4, "Gogo: Switch it off, it is using air!"), (3.4, 6, "[kwela music]")],
    "diski99/turbo-versus-taxi": [(0, 0.6, "[hooting]"), (0.6, 3.4, "Turbo: Even the taxi hooted"), (3.4, 6, "[chase music]")],
    "diski99/gloves-talks-to-posts": [(0.3, 3.1, "You saved me twice, my friend"), (3.3, 5.7, "The crossbar is jealous")],
    "ttmbhatv/the-blue-gate": [(0.6, 3.5, "He: You kept the land papers?"), (3.9, 6.5, "She: I kept you.")],
    "ttmbhatv/ward-eleven": [(0, 0.8, "[heart monitor beeps]"), (0.9, 4.2, "Doctor: Bed six is empty."), (4.2, 6, "[heart monitor beeps]")],
    "raceday/thembi-rides-tall": [(0.6, 3.6, "Thembi: I talk, he listens. Mostly."), (3.6, 6, "[country music]")],
    "raceday/the-caller": [(0.6, 5.4, "And they turn for HOME!"), (5.4, 6, "[crowd]")],
    **{f"{film['folder']}/{film['slug']}": cues(film) for film in FILMS},
}


def path_of(folder, slug):
    """Where a clip's captions lie below media/, or none."""
    return f"{folder}/{slug}.en.vtt" if f"{folder}/{slug}" in LINES else None


def webvtt(folder, slug):
    """The text of that file."""
    def at(seconds):
        return f"{int(seconds // 60):02}:{seconds % 60:06.3f}"

    return "WEBVTT\n" + "".join(f"\n{at(begin)} --> {at(end)}\n{words}\n" for begin, end, words in LINES[f"{folder}/{slug}"])
