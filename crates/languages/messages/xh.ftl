### To be checked by a speaker.

price = { $amount } { $period ->
    [week] ngeveki
    [month] ngenyanga
   *[day] ngosuku
  } neVAT
stop = { $stop_number ->
    [none] Ukuyeka, phendula ngo-STOP.
   *[other] Ukuyeka, thumela u-STOP ku-{ $stop_number }.
  }
help = Uncedo: { $helpline }
ending = Awusayi kuhlawuliswa kwakhona. { help }
date = { $day } { $month ->
    [1] Januwari
    [2] Februwari
    [3] Matshi
    [4] Epreli
    [5] Meyi
    [6] Juni
    [7] Julayi
    [8] Agasti
    [9] Septemba
    [10] Okthobha
    [11] Novemba
   *[12] Disemba
  }

welcome = Wamkelekile ku-{ $name }, i-subscription service ka-{ $provider }: { price }. { stop } { help }
reminder = Ubhalisile ku-{ $name }, i-subscription service ka-{ $provider }: { price }. { stop } { help }
paused = { $name } imisiwe: asikwazanga kuhlawulisa u-{ $amount } ngo-{ date }. Iza kuqhubeka xa usuku luhlawulwe. { stop } { help }
payment-under-way = Ujoyine ku-{ $name }: { price }. Usuku luyahlawuliswa; uya kungena xa luhlawulwe. { stop } { help }
lapsed = Ubhaliso lwakho ku-{ $name } luphelile: akukho nto ihlawulisiweyo kwiintsuku ezingama-30. { ending }
ended-by-network = Inethiwekhi yakho iluphelisile ubhaliso lwakho ku-{ $name }. { ending }
left = Uphumile ku-{ $name }. { ending }
refunded = Intlawulo ka-{ $amount } ye-{ $name } ibisendleleni xa uphuma. Uyabuyiselwa: awuhlawuli nto ngayo. { help }

consent = { $name }. { $amount }/{ $period ->
    [week] ngeveki
    [month] ngenyanga
   *[day] ngosuku
  } · 18+ · uyeka njani. Ndiyavumelana Nemigaqo Nemiqathango. JOYINA
