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

no-session = Nceda ujoyine kuqala okanye uqinisekise ukuba nguwe.
subscription-not-active = Ubhaliso lwakho alusebenzi.
not-active-yet = Le nombolo ayikasebenzi. Nceda ujoyine kuqala.
other-number = Oku ungakwenzela inombolo yakho kuphela.
other-service = Iseshoni yakho yeyenye inkonzo.
not-a-number = Leyo ayiyonombolo yeselula yaseMzantsi Afrika. Nceda uyifake ngolu hlobo: 0812345678.
too-many-attempts = Mininzi kakhulu imizamo. Nceda ulinde kancinci uzame kwakhona.
network-silent = Inethiwekhi yakho ayiphenduli ngoku. Nceda uzame kwakhona emva kwexeshana.
blocked = Le nombolo ayinakho ukujoyina. Nceda utsalele umnxeba wenombolo yoncedo.
no-test-number = Akukho nombolo yovavanyo apha.
only-test-number = Yinombolo yovavanyo kuphela enokwenza oku.
wrong-channel = Itshaneli kufuneka ibe yi-WAP.
bad-ext-ref = I-ext_ref kufuneka ibe ngumbhalo ongenanto onoonobumba abangagqithanga kuma-256.
no-such-service = Akukho nkonzo injalo.
no-such-artist = Akukho mculi okanye mdlali unjalo.
no-such-video = Akukho vidiyo injalo.
no-such-category = Akukho didi lunjalo.
no-such-meme = Akukho meme injalo.
no-such-row = Oko akukho.
no-such-host = Lo msingathi akaloyo nanye kwiisayithi zethu.
nothing-here = Akukho nto kule dilesi.
search-empty = Chwetheza igama oza kulikhangela.
search-too-long = Okukhangelwayo kude kakhulu: kungaba noonobumba abali-100.
page-after-id = Iphepha kufuneka liqale emva kwe-id.
page-after-item = Iphepha kufuneka liqale emva kwento ekuluhlu.
limit-not-positive = Umda kufuneka ube linani elipheleleyo elingaphezu ko-0.
random-limit = Umda kufuneka ube phakathi ko-1 no-100.
not-an-id = I-id linani elipheleleyo elingaphezu ko-0 leebhithi ezingama-64.
malformed-request = Isicelo asiqondakalanga.
malformed-address = Idilesi ayiqondakalanga.
malformed-query = Umbuzo awuqondakalanga: kukho ixabiso elingekhoyo okanye eloluhlobo olungafanelekanga.
malformed-body = Okuthunyelweyo akuqondakalanga.
invalid-json = Okuthunyelweyo ayiyo-JSON efanelekileyo.
wrong-field = Okuthunyelweyo yi-JSON, kodwa kukho indawo engekhoyo okanye eyohlobo olungafanelekanga.
not-json = Okuthunyelweyo kufuneka kube yi-application/json.
not-a-form = Nceda uthumele ifomu ngokwayo.
too-large = Okuthunyelweyo kukhulu kakhulu.
head-too-large = Iiheda zesicelo zinkulu kakhulu.
too-slow = Isicelo sithathe ixesha elide kakhulu ukufika.
wrong-method = Le dilesi ayiyamkeli loo ndlela.
one-host = Isicelo kufuneka sikhankanye umsingathi omnye.
foreign-origin = Oku kunokwenziwa kuphela kwisayithi ngokwayo.
image-address = Idilesi yomfanekiso inolu hlobo: /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.
image-width = Ububanzi bomfanekiso yi-160, 320, 480, 640, 960 okanye 1280.
image-https = Idilesi yomfanekiso kufuneka iqale ngo-https.
image-origin = Imifanekiso yaloo mthombo ayiboniswa apha.
not-an-image = Lo ayingomfanekiso unokuboniswa.
not-our-figure = Eli ayilonani lephepha lethu.
too-many-requests = Izicelo ezininzi kakhulu zivela kuqhagamshelo lwakho. Nceda uzame kwakhona emva kwexeshana.
too-many-connections = Luninzi kakhulu uqhagamshelo oluvulekileyo ukusuka apho ukhoyo. Nceda uzame kwakhona emva kwexeshana.
part-unavailable = Le nxalenye yesayithi ayifumaneki okwexeshana. Nceda uzame kwakhona.
busy = Sixakekile ngoku. Nceda uzame kwakhona emva kwexeshana.
stopping = Inkonzo iyema.
went-wrong = Kukho into engahambanga kakuhle kwicala lethu. Nceda uzame kwakhona.

network-confirm = Qinisekisa
network-decline = Yala
network-subscribe = Ubhalisa ku-{ $name }?
network-charge = { $period ->
    [week] Imali ithathwa kwi-airtime yakho veki nganye ude uyeke.
    [month] Imali ithathwa kwi-airtime yakho nyanga nganye ude uyeke.
   *[day] Imali ithathwa kwi-airtime yakho yonke imihla ude uyeke.
  }
network-per = { $period ->
    [week] ngeveki
    [month] ngenyanga
   *[day] ngosuku
  }
network-verify = Nguwe lo?
network-verify-lead = Qinisekisa ukuba le nombolo yeyakho. Akubizi nto kwaye akutshintshi nto.
network-leave = Uphelisa ubhaliso lwakho ku-{ $name }?
network-leave-lead = Luphela kwangoko, kwaye awusayi kuhlawuliswa kwakhona. Oku akubizi nto.
network-service = Inkonzo
network-number = Inombolo
network-stop = Ukuyeka
network-stop-how = I-SMS ethi STOP, nanini na
network-cost = Ixabiso
network-adult = Ngokuqinisekisa uthi uneminyaka eyi-18 okanye ngaphezulu kwaye nguwe ohlawulela le nombolo, okanye unemvume yomntu oyihlawulelayo.
network-join = Joyina i-{ $name }
network-join-lead = Asikwazanga ukufunda inombolo yakho kolu qhagamshelo. Nceda uyifake ukuze uqhubeke.
network-your-number = Inombolo yakho yeselula
network-example = umz. 0812345678
network-continue = Qhubeka
network-join-small = Uqinisekisa kwiphepha elilandelayo. Akukho nto ihlawuliswayo ngaphambi koko. Kubasebenzisi abaneminyaka eyi-18 nangaphezulu eMzantsi Afrika.
network-not-a-number = Nceda ufake inombolo yeselula yaseMzantsi Afrika, efana no-0812345678.
network-answered = Sele ukuphendule oku
network-answered-lead = Akukho nto yimbi ifunekayo apha.
network-back = Buyela ku-{ $name }
network-no-service = Akukho nkonzo injalo
network-no-service-lead = Le nethiwekhi ayihlawulisi ngaloo nkonzo.
network-no-page = Akukho phepha linjalo
network-no-page-lead = Le dilesi ayibuzi nto. Nceda uqale kwakhona kwisayithi ovela kuyo.
network-expired = Eli phepha liphelelwe lixesha
network-expired-lead = Lilinde impendulo iintsuku ezintlanu. Nceda uqale kwakhona kwisayithi ovela kuyo.
