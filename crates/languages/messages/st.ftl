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

no-session = Ka kopo kena pele kapa o netefatse hore ke wena.
subscription-not-active = Peeletso ya hao ha e sebetse.
not-active-yet = Nomoro ena ha e so sebetse. Ka kopo kena pele.
other-number = O ka etsa sena feela bakeng sa nomoro ya hao.
other-service = Seshene ya hao ke ya tshebeletso e nngwe.
not-a-number = Eo ha se nomoro ya selefounu ya Afrika Borwa. Ka kopo e kenye tjena: 0812345678.
too-many-attempts = Diteko di ngata haholo. Ka kopo ema hanyane mme o leke hape.
network-silent = Netweke ya hao ha e arabe hona jwale. Ka kopo leka hape kamora motsotswana.
blocked = Nomoro ena e ke ke ya kena. Ka kopo letsetsa nomoro ya thuso.
no-test-number = Ha ho nomoro ya teko mona.
only-test-number = Ke nomoro ya teko feela e ka etsang sena.
wrong-channel = Kanale e tlameha ho ba WAP.
bad-ext-ref = Ext_ref e tlameha ho ba mongolo o hlakileng wa ditlhaku tse sa feteng 256.
no-such-service = Ha ho tshebeletso e jwalo.
no-such-artist = Ha ho sebini kapa sebapadi se jwalo.
no-such-video = Ha ho video e jwalo.
no-such-category = Ha ho mokgahlelo o jwalo.
no-such-meme = Ha ho meme e jwalo.
no-such-row = Ntho eo ha e yo.
no-such-host = Host ena ha se e nngwe ya disaete tsa rona.
nothing-here = Ha ho letho atereseng ena.
search-empty = Tlanya lentswe leo o le batlang.
search-too-long = Patlo e telele haholo: e ka ba le ditlhaku tse 100.
page-after-id = Leqephe le tlameha ho qala kamora id.
page-after-item = Leqephe le tlameha ho qala kamora ntho e lenaneng.
limit-not-positive = Moedi o tlameha ho ba palo e felletseng e fetang 0.
random-limit = Moedi o tlameha ho ba pakeng tsa 1 le 100.
not-an-id = Id ke palo e felletseng e fetang 0 ya dibiti tse 64.
malformed-request = Kopo ha e a utlwisiseha.
malformed-address = Aterese ha e a utlwisiseha.
malformed-query = Potso ha e a utlwisiseha: ho na le boleng bo haellang kapa bo fosahetseng.
malformed-body = Se rometsweng ha se a utlwisiseha.
invalid-json = Se rometsweng ha se JSON e nepahetseng.
wrong-field = Se rometsweng ke JSON, empa ho na le lebala le haellang kapa le fosahetseng.
not-json = Se rometsweng se tlameha ho ba application/json.
not-a-form = Ka kopo romela foromo ka boyona.
too-large = Se rometsweng se seholo haholo.
head-too-large = Dihlooho tsa kopo di kgolo haholo.
too-slow = Kopo e nkile nako e telele haholo ho fihla.
wrong-method = Aterese ena ha e amohele mokgwa oo.
one-host = Kopo e tlameha ho bolela host e le nngwe.
foreign-origin = Sena se ka etswa feela ho tswa saeteng ka boyona.
image-address = Aterese ya setshwantsho e na le sebopeho sena: /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.
image-width = Bophara ba setshwantsho ke 160, 320, 480, 640, 960 kapa 1280.
image-https = Aterese ya setshwantsho e tlameha ho qala ka https.
image-origin = Ditshwantsho tsa mohlodi oo ha di bontshwe mona.
not-an-image = Sena ha se setshwantsho se ka bontshwang.
not-our-figure = Sena ha se palo ya leqephe la rona.
too-many-requests = Dikopo tse ngata haholo di tswa kgokelong ya hao. Ka kopo leka hape kamora motsotswana.
too-many-connections = Dikgokelo tse ngata haholo di butswe ho tloha moo o leng teng. Ka kopo leka hape kamora motsotswana.
part-unavailable = Karolo ena ya saete ha e fumanehe motsotswana. Ka kopo leka hape.
busy = Re phathahane hona jwale. Ka kopo leka hape kamora motsotswana.
stopping = Tshebeletso e a ema.
went-wrong = Ho na le se sa tsamaeng hantle ka lehlakoreng la rona. Ka kopo leka hape.

network-confirm = Netefatsa
network-decline = Hana
network-subscribe = O ngodisa ho { $name }?
network-charge = { $period ->
    [week] Tefo e nkuwa ho airtime ya hao beke le beke ho fihlela o emisa.
    [month] Tefo e nkuwa ho airtime ya hao kgwedi le kgwedi ho fihlela o emisa.
   *[day] Tefo e nkuwa ho airtime ya hao letsatsi le letsatsi ho fihlela o emisa.
  }
network-per = { $period ->
    [week] ka beke
    [month] ka kgwedi
   *[day] ka letsatsi
  }
network-verify = Na ke wena?
network-verify-lead = Netefatsa hore ena ke nomoro ya hao. Ha ho lefiswe letho mme ha ho fetohe letho.
network-leave = O fedisa ngodiso ya hao ho { $name }?
network-leave-lead = E fela hanghang, mme o ke ke wa hlola o lefiswa. Sena ha se lefiswe letho.
network-service = Tshebeletso
network-number = Nomoro
network-stop = Ho emisa
network-stop-how = SMS ya STOP, nako efe kapa efe
network-cost = Theko
network-adult = Ka ho netefatsa o re o na le dilemo tse 18 kapa ho feta mme o lefella nomoro ena, kapa o na le tumello ya motho ya e lefellang.
network-join = Kena ho { $name }
network-join-lead = Ha re a kgona ho bala nomoro ya hao kgokelong ena. Ka kopo e kenye ho tswela pele.
network-your-number = Nomoro ya hao ya selefounu
network-example = mohl. 0812345678
network-continue = Tswela pele
network-join-small = O netefatsa leqepheng le latelang. Ha ho letho le lefiswang pele ho moo. Bakeng sa basebedisi ba dilemo tse 18 le ho feta Afrika Borwa.
network-not-a-number = Ka kopo kenya nomoro ya selefounu ya Afrika Borwa, jwaloka 0812345678.
network-answered = O se o arabile sena
network-answered-lead = Ha ho letho le leng le hlokahalang mona.
network-back = Kgutlela ho { $name }
network-no-service = Ha ho tshebeletso e jwalo
network-no-service-lead = Netweke ena ha e lefise bakeng sa tshebeletso eo.
network-no-page = Ha ho leqephe le jwalo
network-no-page-lead = Aterese ena ha e botse letho. Ka kopo qala hape saeteng eo o tswang ho yona.
network-expired = Leqephe lena le felletswe ke nako
network-expired-lead = Le emetse karabo matsatsi a mahlano. Ka kopo qala hape saeteng eo o tswang ho yona.
