### To be checked by a speaker.

price = { $amount }/{ $period ->
    [week] week
    [month] maand
   *[day] dag
  } insl. BTW
stop = { $stop_number ->
    [none] Om te stop, antwoord STOP.
   *[other] Om te stop, SMS STOP na { $stop_number }.
  }
help = Hulp: { $helpline }
ending = Jy sal nie weer betaal nie. { help }
date = { $day } { $month ->
    [1] Januarie
    [2] Februarie
    [3] Maart
    [4] April
    [5] Mei
    [6] Junie
    [7] Julie
    [8] Augustus
    [9] September
    [10] Oktober
    [11] November
   *[12] Desember
  }

welcome = Welkom by { $name }, 'n subscription service van { $provider }: { price }. { stop } { help }
reminder = Jy is ingeteken op { $name }, 'n subscription service van { $provider }: { price }. { stop } { help }
paused = { $name } is gestop: ons kon nie { $amount } vir { date } verhaal nie. Dit gaan voort sodra 'n dag betaal is. { stop } { help }
payment-under-way = Jy het by { $name } aangesluit: { price }. Die dag word verhaal; toegang kom met betaling. { stop } { help }
lapsed = Jou intekening op { $name } is verby: niks is 30 dae lank verhaal nie. { ending }
ended-by-network = Jou netwerk het jou intekening op { $name } gestop. { ending }
left = Jy het { $name } verlaat. { ending }
refunded = 'n Betaling van { $amount } vir { $name } was op pad toe jy verlaat het. Dit word terugbetaal: jy betaal niks daarvoor nie. { help }

consent = { $name }. { $amount }/{ $period ->
    [week] week
    [month] maand
   *[day] dag
  } · 18+ · hoe om te stop. Ek stem in tot die Bepalings en Voorwaardes. SLUIT AAN

no-session = Sluit asseblief eers aan of bevestig dat dit jy is.
subscription-not-active = Jou intekening is nie aktief nie.
not-active-yet = Hierdie nommer is nog nie aktief nie. Sluit asseblief eers aan.
other-number = Jy kan dit net vir jou eie nommer doen.
other-service = Jou sessie is vir 'n ander diens.
not-a-number = Dit is nie 'n Suid-Afrikaanse selfoonnommer nie. Tik dit asseblief soos 0812345678.
too-many-attempts = Te veel pogings. Wag asseblief 'n rukkie en probeer weer.
network-silent = Jou netwerk antwoord nie nou nie. Probeer asseblief oor 'n oomblik weer.
blocked = Hierdie nommer kan nie aansluit nie. Bel asseblief die hulplyn.
no-test-number = Hier is geen toetsnommer nie.
only-test-number = Net die toetsnommer kan dit doen.
wrong-channel = Die kanaal moet WAP wees.
bad-ext-ref = Die ext_ref mag hoogstens 256 karakters gewone teks wees.
no-such-service = Daar is nie so 'n diens nie.
no-such-artist = Daar is nie so 'n kunstenaar nie.
no-such-video = Daar is nie so 'n video nie.
no-such-category = Daar is nie so 'n kategorie nie.
no-such-meme = Daar is nie so 'n meme nie.
no-such-row = Dit bestaan nie.
no-such-host = Hierdie gasheer is nie een van ons werwe nie.
nothing-here = Daar is niks by hierdie adres nie.
search-empty = Tik 'n woord om te soek.
search-too-long = Die soektog is te lank: dit mag 100 karakters hê.
page-after-id = Die bladsy moet na 'n id begin.
page-after-item = Die bladsy moet na 'n item van die lys begin.
limit-not-positive = Die perk moet 'n positiewe heelgetal wees.
random-limit = Die perk moet tussen 1 en 100 wees.
not-an-id = 'n Id is 'n positiewe 64-bis-heelgetal.
malformed-request = Die versoek kon nie verstaan word nie.
malformed-address = Die adres kon nie verstaan word nie.
malformed-query = Die navraag kon nie verstaan word nie: 'n waarde ontbreek of is van die verkeerde soort.
malformed-body = Die inhoud kon nie verstaan word nie.
invalid-json = Die inhoud is nie geldige JSON nie.
wrong-field = Die inhoud is JSON, maar 'n veld ontbreek of is van die verkeerde soort.
not-json = Die inhoud moet as application/json gestuur word.
not-a-form = Stuur asseblief die vorm self.
too-large = Wat gestuur is, is te groot.
head-too-large = Die versoek se kopvelde is te groot.
too-slow = Die versoek het te lank geneem om aan te kom.
wrong-method = Hierdie adres aanvaar nie daardie metode nie.
one-host = Die versoek moet een gasheer noem.
foreign-origin = Dit kan net vanaf die werf self gedoen word.
image-address = 'n Prent se adres het die vorm /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.
image-width = 'n Prent se breedte is 160, 320, 480, 640, 960 of 1280.
image-https = Die prent se adres moet met https begin.
image-origin = Prente van daardie oorsprong word nie hier gewys nie.
not-an-image = Dit is nie 'n prent wat gewys kan word nie.
not-our-figure = Dit is geen syfer van 'n bladsy van ons nie.
too-many-requests = Te veel versoeke kom van jou verbinding. Probeer asseblief oor 'n oomblik weer.
too-many-connections = Te veel verbindings is van waar jy is oop. Probeer asseblief oor 'n oomblik weer.
part-unavailable = Hierdie deel van die werf is 'n oomblik weg. Probeer asseblief weer.
busy = Ons is nou besig. Probeer asseblief oor 'n oomblik weer.
stopping = Die diens is besig om te stop.
went-wrong = Iets het aan ons kant verkeerd geloop. Probeer asseblief weer.

network-confirm = Bevestig
network-decline = Wys af
network-subscribe = Teken in op { $name }?
network-charge = { $period ->
    [week] Die bedrag word elke week van jou lugtyd afgetrek totdat jy stop.
    [month] Die bedrag word elke maand van jou lugtyd afgetrek totdat jy stop.
   *[day] Die bedrag word elke dag van jou lugtyd afgetrek totdat jy stop.
  }
network-per = { $period ->
    [week] per week
    [month] per maand
   *[day] per dag
  }
network-verify = Is dit jy?
network-verify-lead = Bevestig dat dit jou nommer is. Dit kos niks en verander niks.
network-leave = Stop jou intekening op { $name }?
network-leave-lead = Dit stop dadelik, en jy betaal nie weer nie. Dit kos niks.
network-service = Diens
network-number = Nommer
network-stop = Om te stop
network-stop-how = SMS STOP, enige tyd
network-cost = Koste
network-adult = Deur te bevestig sê jy dat jy 18 of ouer is en vir hierdie nommer betaal, of toestemming het van die persoon wat betaal.
network-join = Sluit aan by { $name }
network-join-lead = Ons kon nie jou nommer van hierdie verbinding lees nie. Tik dit asseblief om aan te gaan.
network-your-number = Jou selfoonnommer
network-example = bv. 0812345678
network-continue = Gaan voort
network-join-small = Jy bevestig op die volgende bladsy. Voor dit betaal jy niks. Vir gebruikers van 18 en ouer in Suid-Afrika.
network-not-a-number = Tik asseblief 'n Suid-Afrikaanse selfoonnommer, soos 0812345678.
network-answered = Jy het dit reeds beantwoord
network-answered-lead = Niks meer is hier nodig nie.
network-back = Terug na { $name }
network-no-service = Daar is nie so 'n diens nie
network-no-service-lead = Hierdie netwerk hef niks vir daardie diens nie.
network-no-page = Daar is nie so 'n bladsy nie
network-no-page-lead = Hierdie adres vra niks. Begin asseblief weer op die werf waarvandaan jy kom.
network-expired = Hierdie bladsy het verval
network-expired-lead = Dit het vyf dae lank vir 'n antwoord gewag. Begin asseblief weer op die werf waarvandaan jy kom.
