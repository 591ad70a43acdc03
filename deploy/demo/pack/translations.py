"""Translations of some titles and categories into Afrikaans and isiZulu, by service and slug. A speaker should check them: no native speaker has."""

TRANSLATIONS = {
    "MC Funny": {
        "the-last-taxi": {"video_name.af": "Die laaste taxi", "video_name.zu": "Itekisi yokugcina"},
        "gym-in-january": {"video_name.af": "Gim in Januarie", "video_name.zu": "Ijimu ngoJanuwari"},
    },
    "diski99": {
        "spheroid-free-kick": {"video_name.af": "Die piesangvryskop", "video_name.zu": "I-free kick egobile"},
    },
    "memeworld": {
        "load-shedding": {"name.af": "Beurtkrag", "name.zu": "Ukucishwa kukagesi"},
        "taxi-tales": {"name.af": "Taxistories", "name.zu": "Izindaba zetekisi"},
        "school-days": {"name.af": "Skooldae", "name.zu": "Izinsuku zesikole"},
        "kettle-first": {"title.af": "Eers die ketel", "title.zu": "Igedlela kuqala"},
    },
    "ttmbhatv": {
        "kitchen": {"category_name.af": "Kombuis", "category_name.zu": "Ikhishi"},
        "music": {"category_name.af": "Musiek", "category_name.zu": "Umculo"},
        "travel": {"category_name.af": "Reis", "category_name.zu": "Ukuvakasha"},
        "kids": {"category_name.af": "Kinders", "category_name.zu": "Izingane"},
        "the-blue-gate": {"name.af": "Die blou hek", "name.zu": "Isango eliluhlaza"},
    },
    "raceday": {
        "stables": {"category_name.af": "Stalle", "category_name.zu": "Izitebele"},
    },
}


def add(services):
    """Adds them to the records of a manifest."""
    for service, texts in TRANSLATIONS.items():
        for records in services[service].values():
            for record in records:
                for each in [record, *record.get("videos", []), *record.get("memes", [])]:
                    each.update(texts.get(each["slug"], {}))
