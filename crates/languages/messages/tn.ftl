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

no-session = Tsweetswee tsena pele kgotsa o netefatse gore ke wena.
subscription-not-active = Peeletso ya gago ga e dire.
not-active-yet = Nomoro eno ga e ise e dire. Tsweetswee tsena pele.
other-number = O ka direla nomoro ya gago fela seno.
other-service = Seshene ya gago ke ya tirelo e nngwe.
not-a-number = Eo ga se nomoro ya selula ya Aforika Borwa. Tsweetswee e tsenye jaana: 0812345678.
too-many-attempts = Diteko di dintsi thata. Tsweetswee ema go le gonnye o bo o leka gape.
network-silent = Neteweke ya gago ga e arabe jaanong. Tsweetswee leka gape morago ga nakonyana.
blocked = Nomoro eno ga e kake ya tsena. Tsweetswee leletsa nomoro ya thuso.
no-test-number = Ga go nomoro ya teko fano.
only-test-number = Ke nomoro ya teko fela e e ka dirang seno.
wrong-channel = Kanale e tshwanetse go nna WAP.
bad-ext-ref = Ext_ref e tshwanetse go nna mokwalo o o phepa wa ditlhaka tse di sa feteng 256.
no-such-service = Ga go tirelo e e jalo.
no-such-artist = Ga go sediragatsi kgotsa motshameki yo o jalo.
no-such-video = Ga go bidio e e jalo.
no-such-category = Ga go setlhopha se se jalo.
no-such-meme = Ga go meme e e jalo.
no-such-row = Selo seo ga se yo.
no-such-host = Host eno ga se nngwe ya disaete tsa rona.
nothing-here = Ga go sepe mo atereseng eno.
search-empty = Kwala lefoko le o le batlang.
search-too-long = Patlo e telele thata: e ka nna le ditlhaka di le 100.
page-after-id = Tsebe e tshwanetse go simolola morago ga id.
page-after-item = Tsebe e tshwanetse go simolola morago ga selo sa lenaane.
limit-not-positive = Selekanyo se tshwanetse go nna palo e e feletseng e e fetang 0.
random-limit = Selekanyo se tshwanetse go nna magareng ga 1 le 100.
not-an-id = Id ke palo e e feletseng e e fetang 0 ya dibiti di le 64.
malformed-request = Kopo ga e a tlhaloganyega.
malformed-address = Aterese ga e a tlhaloganyega.
malformed-query = Potso ga e a tlhaloganyega: go na le boleng jo bo tlhaelang kgotsa jo bo fosagetseng.
malformed-body = Se se rometsweng ga se a tlhaloganyega.
invalid-json = Se se rometsweng ga se JSON e e siameng.
wrong-field = Se se rometsweng ke JSON, mme go na le lebala le le tlhaelang kgotsa le le fosagetseng.
not-json = Se se rometsweng se tshwanetse go nna application/json.
not-a-form = Tsweetswee romela foromo ka boyone.
too-large = Se se rometsweng se segolo thata.
head-too-large = Ditlhogo tsa kopo di dikgolo thata.
too-slow = Kopo e tsere nako e telele thata go goroga.
wrong-method = Aterese eno ga e amogele mokgwa oo.
one-host = Kopo e tshwanetse go umaka host e le nngwe.
foreign-origin = Seno se ka dirwa fela go tswa mo saeteng ka boyone.
image-address = Aterese ya setshwantsho e na le sebopego seno: /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.
image-width = Bophara jwa setshwantsho ke 160, 320, 480, 640, 960 kgotsa 1280.
image-https = Aterese ya setshwantsho e tshwanetse go simolola ka https.
image-origin = Ditshwantsho tsa motswedi oo ga di bontshiwe fano.
not-an-image = Seno ga se setshwantsho se se ka bontshiwang.
not-our-figure = Seno ga se palo ya tsebe ya rona.
too-many-requests = Dikopo tse dintsi thata di tswa kwa kgolaganong ya gago. Tsweetswee leka gape morago ga nakonyana.
too-many-connections = Dikgolagano tse dintsi thata di butswe go tswa kwa o leng teng. Tsweetswee leka gape morago ga nakonyana.
part-unavailable = Karolo eno ya saete ga e bonale ka nakonyana. Tsweetswee leka gape.
busy = Re tshwaregile jaanong. Tsweetswee leka gape morago ga nakonyana.
stopping = Tirelo e a ema.
went-wrong = Go na le se se sa tsamayang sentle ka fa letlhakoreng la rona. Tsweetswee leka gape.

network-confirm = Netefatsa
network-decline = Gana
network-subscribe = O ikwadisa mo { $name }?
network-charge = { $period ->
    [week] Tuelo e tsewa mo airtime ya gago beke le beke go fitlha o emisa.
    [month] Tuelo e tsewa mo airtime ya gago kgwedi le kgwedi go fitlha o emisa.
   *[day] Tuelo e tsewa mo airtime ya gago letsatsi le letsatsi go fitlha o emisa.
  }
network-per = { $period ->
    [week] ka beke
    [month] ka kgwedi
   *[day] ka letsatsi
  }
network-verify = A ke wena?
network-verify-lead = Netefatsa gore eno ke nomoro ya gago. Ga go duelwe sepe e bile ga go fetoge sepe.
network-leave = O fedisa ikwadiso ya gago mo { $name }?
network-leave-lead = E fela ka yone nako eo, mme ga o kitla o duedisiwa gape. Seno ga se duelwe sepe.
network-service = Tirelo
network-number = Nomoro
network-stop = Go emisa
network-stop-how = SMS ya STOP, nako nngwe le nngwe
network-cost = Tlhotlhwa
network-adult = Ka go netefatsa o bolela gore o na le dingwaga di le 18 kgotsa go feta mme o duelela nomoro eno, kgotsa o na le tetla ya motho yo o e duelelang.
network-join = Tsena mo { $name }
network-join-lead = Ga re a kgona go bala nomoro ya gago mo kgolaganong eno. Tsweetswee e tsenye go tswelela.
network-your-number = Nomoro ya gago ya selula
network-example = sk. 0812345678
network-continue = Tswelela
network-join-small = O netefatsa mo tsebeng e e latelang. Ga go sepe se se duedisiwang pele ga moo. Ya badirisi ba dingwaga di le 18 le go feta mo Aforika Borwa.
network-not-a-number = Tsweetswee tsenya nomoro ya selula ya Aforika Borwa, jaaka 0812345678.
network-answered = O setse o arabile seno
network-answered-lead = Ga go sepe se sengwe se se tlhokegang fano.
network-back = Boela kwa { $name }
network-no-service = Ga go tirelo e e jalo
network-no-service-lead = Neteweke eno ga e duedise ka tirelo eo.
network-no-page = Ga go tsebe e e jalo
network-no-page-lead = Aterese eno ga e botse sepe. Tsweetswee simolola gape mo saeteng e o tswang kwa go yone.
network-expired = Tsebe eno e fetetswe ke nako
network-expired-lead = E letile karabo malatsi a le matlhano. Tsweetswee simolola gape mo saeteng e o tswang kwa go yone.
