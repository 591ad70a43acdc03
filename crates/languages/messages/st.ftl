### To be checked by a speaker.

price = { $amount } { $period ->
    [week] ka beke
    [month] ka kgwedi
   *[day] ka letsatsi
  } le VAT
stop = { $stop_number ->
    [none] Ho emisa, araba ka STOP.
   *[other] Ho emisa, romela STOP ho { $stop_number }.
  }
help = Thuso: { $helpline }
ending = O ke ke wa hlola o lefiswa. { help }
date = { $day } { $month ->
    [1] Pherekgong
    [2] Hlakola
    [3] Hlakubele
    [4] Mmesa
    [5] Motsheanong
    [6] Phupjane
    [7] Phupu
    [8] Phato
    [9] Lwetse
    [10] Mphalane
    [11] Pudungwana
   *[12] Tshitwe
  }

welcome = O amohelehile ho { $name }, subscription service ya { $provider }: { price }. { stop } { help }
reminder = O ngodisitse ho { $name }, subscription service ya { $provider }: { price }. { stop } { help }
paused = { $name } e emisitswe: ha re a kgona ho lefisa { $amount } ka { date }. E tla tswela pele ha o lefile. { stop } { help }
payment-under-way = O kene ho { $name }: { price }. Letsatsi le a lefiswa; o tla kena ha le lefilwe. { stop } { help }
lapsed = Ngodiso ya hao ho { $name } e fedile: ha ho letho le lefisitsweng matsatsi a 30. { ending }
ended-by-network = Netweke ya hao e fedisitse ngodiso ya hao ho { $name }. { ending }
left = O tswile ho { $name }. { ending }
refunded = Tefo ya { $amount } ya { $name } e ne e le tseleng ha o tswa. E a kgutliswa: ha o lefe letho bakeng sa yona. { help }

consent = { $name }. { $amount }/{ $period ->
    [week] beke
    [month] kgwedi
   *[day] letsatsi
  } · 18+ · mokgwa wa ho kgaotsa. Ke dumetse Dipehelo le Maemo. KENA
