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

no-session = Sicela ujoyine kuqala noma uqinisekise ukuthi nguwe.
subscription-not-active = Ukubhalisa kwakho akusebenzi.
not-active-yet = Le nombolo ayikasebenzi. Sicela ujoyine kuqala.
other-number = Lokhu ungakwenzela inombolo yakho kuphela.
other-service = Iseshini yakho ingeyenye isevisi.
not-a-number = Leyo akuyona inombolo yeselula yaseNingizimu Afrika. Sicela uyifake kanje: 0812345678.
too-many-attempts = Imizamo miningi kakhulu. Sicela ulinde kancane uzame futhi.
network-silent = Inethiwekhi yakho ayiphenduli njengamanje. Sicela uzame futhi ngemva kwesikhashana.
blocked = Le nombolo ayikwazi ukujoyina. Sicela ushayele inombolo yosizo.
no-test-number = Ayikho inombolo yokuhlola lapha.
only-test-number = Inombolo yokuhlola kuphela engakwenza lokhu.
wrong-channel = Isiteshi kumele sibe yi-WAP.
bad-ext-ref = I-ext_ref kumele ibe umbhalo ongenalutho onezinhlamvu ezingevile ku-256.
no-such-service = Ayikho isevisi enjalo.
no-such-artist = Akekho umculi noma umdlali onjalo.
no-such-video = Ayikho ividiyo enjalo.
no-such-category = Asikho isigaba esinjalo.
no-such-meme = Ayikho i-meme enjalo.
no-such-row = Lokho akukho.
no-such-host = Lo msingathi akalona nelilodwa lamasayithi ethu.
nothing-here = Akukho lutho kuleli kheli.
search-empty = Thayipha igama ozolisesha.
search-too-long = Ukusesha kude kakhulu: kungaba nezinhlamvu eziyi-100.
page-after-id = Ikhasi kumele liqale ngemva kwe-id.
page-after-item = Ikhasi kumele liqale ngemva kwento esohlwini.
limit-not-positive = Umkhawulo kumele ube inombolo ephelele engaphezu kuka-0.
random-limit = Umkhawulo kumele ube phakathi kuka-1 no-100.
not-an-id = I-id iyinombolo ephelele engaphezu kuka-0 enamabhithi angu-64.
malformed-request = Isicelo asiqondakalanga.
malformed-address = Ikheli aliqondakalanga.
malformed-query = Umbuzo awuqondakalanga: kukhona inani elingekho noma eliwuhlobo olungafanele.
malformed-body = Okuthunyelwe akuqondakalanga.
invalid-json = Okuthunyelwe akuyona i-JSON efanele.
wrong-field = Okuthunyelwe kuyi-JSON, kodwa kukhona inkambu engekho noma ewuhlobo olungafanele.
not-json = Okuthunyelwe kumele kube yi-application/json.
not-a-form = Sicela uthumele ifomu ngokwalo.
too-large = Okuthunyelwe kukhulu kakhulu.
head-too-large = Izihloko zesicelo zinkulu kakhulu.
too-slow = Isicelo sithathe isikhathi eside kakhulu ukufika.
wrong-method = Leli kheli alamukeli leyo ndlela.
one-host = Isicelo kumele sisho umsingathi oyedwa.
foreign-origin = Lokhu kungenziwa kuphela kusukela kusayithi uqobo.
image-address = Ikheli lesithombe linalesi simo: /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.
image-width = Ububanzi besithombe bungu-160, 320, 480, 640, 960 noma 1280.
image-https = Ikheli lesithombe kumele liqale ngo-https.
image-origin = Izithombe zalowo mthombo aziboniswa lapha.
not-an-image = Lesi akusona isithombe esingaboniswa.
not-our-figure = Lesi akusona isibalo sekhasi lethu.
too-many-requests = Izicelo eziningi kakhulu zivela ekuxhumekeni kwakho. Sicela uzame futhi ngemva kwesikhashana.
too-many-connections = Kuvulwe uxhumo oluningi kakhulu kusukela lapho ukhona. Sicela uzame futhi ngemva kwesikhashana.
part-unavailable = Le ngxenye yesayithi ayitholakali okwesikhashana. Sicela uzame futhi.
busy = Simatasa njengamanje. Sicela uzame futhi ngemva kwesikhashana.
stopping = Isevisi iyama.
went-wrong = Kukhona okungahambanga kahle ngasohlangothini lwethu. Sicela uzame futhi.

network-confirm = Qinisekisa
network-decline = Yenqaba
network-subscribe = Ubhalisa ku-{ $name }?
network-charge = { $period ->
    [week] Imali ithathwa ku-airtime yakho njalo ngeviki uze uyeke.
    [month] Imali ithathwa ku-airtime yakho njalo ngenyanga uze uyeke.
   *[day] Imali ithathwa ku-airtime yakho nsuku zonke uze uyeke.
  }
network-per = { $period ->
    [week] ngeviki
    [month] ngenyanga
   *[day] ngosuku
  }
network-verify = Nguwe lo?
network-verify-lead = Qinisekisa ukuthi le nombolo ingeyakho. Akubizi lutho futhi akushintshi lutho.
network-leave = Uqeda ukubhalisa kwakho ku-{ $name }?
network-leave-lead = Kuphela ngaso leso sikhathi, futhi ngeke uphinde ukhokhiswe. Lokhu akubizi lutho.
network-service = Isevisi
network-number = Inombolo
network-stop = Ukuze uyeke
network-stop-how = I-SMS ethi STOP, noma nini
network-cost = Intengo
network-adult = Ngokuqinisekisa usho ukuthi uneminyaka engu-18 noma ngaphezulu futhi nguwe okhokhela le nombolo, noma unemvume yomuntu oyikhokhelayo.
network-join = Joyina i-{ $name }
network-join-lead = Asikwazanga ukufunda inombolo yakho kulolu xhumo. Sicela uyifake ukuze uqhubeke.
network-your-number = Inombolo yakho yeselula
network-example = isb. 0812345678
network-continue = Qhubeka
network-join-small = Uqinisekisa ekhasini elilandelayo. Akukho okukhokhiswayo ngaphambi kwalokho. Okwabasebenzisi abaneminyaka engu-18 nangaphezulu eNingizimu Afrika.
network-not-a-number = Sicela ufake inombolo yeselula yaseNingizimu Afrika, njengokuthi 0812345678.
network-answered = Usukuphendulile lokhu
network-answered-lead = Akukho okunye okudingekayo lapha.
network-back = Buyela ku-{ $name }
network-no-service = Ayikho isevisi enjalo
network-no-service-lead = Le nethiwekhi ayikhokhisi ngaleyo sevisi.
network-no-page = Alikho ikhasi elinjalo
network-no-page-lead = Leli kheli alibuzi lutho. Sicela uqale futhi kusayithi oqhamuke kulo.
network-expired = Leli khasi liphelelwe yisikhathi
network-expired-lead = Lilinde impendulo izinsuku ezinhlanu. Sicela uqale futhi kusayithi oqhamuke kulo.
