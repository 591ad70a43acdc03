### To be checked by a speaker.

price = { $amount } { $period ->
    [week] ka beke
    [month] ka kgwedi
   *[day] ka letsatsi
  } le VAT
stop = { $stop_number ->
    [none] Go emisa, araba ka STOP.
   *[other] Go emisa, romela STOP go { $stop_number }.
  }
help = Thuso: { $helpline }
ending = Ga o kitla o duedisiwa gape. { help }
date = { $day } { $month ->
    [1] Ferikgong
    [2] Tlhakole
    [3] Mopitlwe
    [4] Moranang
    [5] Motsheganong
    [6] Seetebosigo
    [7] Phukwi
    [8] Phatwe
    [9] Lwetse
    [10] Diphalane
    [11] Ngwanatsele
   *[12] Sedimonthole
  }

welcome = O amogetswe mo { $name }, subscription service ya { $provider }: { price }. { stop } { help }
reminder = O ikwadisitse mo { $name }, subscription service ya { $provider }: { price }. { stop } { help }
paused = { $name } e emisitswe: ga re a kgona go duedisa { $amount } ka { date }. E tla tswelela fa o duetse. { stop } { help }
payment-under-way = O tsene mo { $name }: { price }. Letsatsi le a duedisiwa; o tla tsena fa le duetswe. { stop } { help }
lapsed = Ikwadiso ya gago mo { $name } e fedile: ga go sepe se se duedisitsweng malatsi a le 30. { ending }
ended-by-network = Neteweke ya gago e fedisitse ikwadiso ya gago mo { $name }. { ending }
left = O dule mo { $name }. { ending }
refunded = Tuelo ya { $amount } ya { $name } e ne e le mo tseleng fa o tswa. E a busediwa: ga o e duele sepe. { help }

consent = { $name }. { $amount }/{ $period ->
    [week] beke
    [month] kgwedi
   *[day] letsatsi
  } · 18+ · ka fa o ka emisang ka teng. Ke dumetse Melawana le Dipeelo. TSENA
