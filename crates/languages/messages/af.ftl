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
