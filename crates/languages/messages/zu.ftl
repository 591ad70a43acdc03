### To be checked by a speaker.

price = { $amount } { $period ->
    [week] ngeviki
    [month] ngenyanga
   *[day] ngosuku
  } ne-VAT
stop = { $stop_number ->
    [none] Ukuyeka, phendula ngo-STOP.
   *[other] Ukuyeka, thumela u-STOP ku-{ $stop_number }.
  }
help = Usizo: { $helpline }
ending = Ngeke usakhokhiswa. { help }
date = { $day } { $month ->
    [1] Januwari
    [2] Februwari
    [3] Mashi
    [4] Ephreli
    [5] Meyi
    [6] Juni
    [7] Julayi
    [8] Agasti
    [9] Septhemba
    [10] Okthoba
    [11] Novemba
   *[12] Disemba
  }

welcome = Siyakwamukela ku-{ $name }, i-subscription service ka-{ $provider }: { price }. { stop } { help }
reminder = Ubhalisile ku-{ $name }, i-subscription service ka-{ $provider }: { price }. { stop } { help }
paused = { $name } imisiwe: asikwazanga ukukhokhisa u-{ $amount } ngo-{ date }. Izoqhubeka uma usuku selukhokhiwe. { stop } { help }
payment-under-way = Ujoyine ku-{ $name }: { price }. Usuku luyakhokhiswa; uzongena uma selukhokhiwe. { stop } { help }
lapsed = Ukubhalisa kwakho ku-{ $name } kuphelile: akukhokhiswanga lutho izinsuku ezingu-30. { ending }
ended-by-network = Inethiwekhi yakho iqede ukubhalisa kwakho ku-{ $name }. { ending }
left = Usuphumile ku-{ $name }. { ending }
refunded = Inkokhelo ka-{ $amount } ye-{ $name } ibisendleleni ngesikhathi uphuma. Iyabuyiselwa: awukhokhi lutho ngayo. { help }

consent = { $name }. { $amount }/{ $period ->
    [week] ngeviki
    [month] ngenyanga
   *[day] ngosuku
  } · 18+ · uyeka kanjani. Ngiyavumelana Nemigomo Nemibandela. JOYINA
