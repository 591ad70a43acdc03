### SMSes to subscribers. $name: the brand. $provider: who sells it. $amount: a price as "R3". $helpline: a telephone number.

## Parts of several SMSes

# $period: day, week or month.
price = { $amount }/{ $period ->
    [week] week
    [month] month
   *[day] day
  } incl. VAT
# $stop_number: the number that a STOP goes to, or "none".
stop = { $stop_number ->
    [none] To stop, reply STOP.
   *[other] To stop, SMS STOP to { $stop_number }.
  }
help = Help: { $helpline }
ending = You will not be charged again. { help }
# $day: of the month. $month: 1 to 12.
date = { $day } { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
  }

## SMSes

# The words "subscription service" are demanded by the code of conduct, in English.
welcome = Welcome to { $name }, a subscription service of { $provider }: { price }. { stop } { help }
# Every month.
reminder = You are subscribed to { $name }, a subscription service of { $provider }: { price }. { stop } { help }
# A day could not be charged.
paused = { $name } is paused: we could not charge { $amount } on { date }. It goes on once a day is paid. { stop } { help }
# The join is confirmed, but an unpaid day has to be paid before it.
payment-under-way = You joined { $name }: { price }. The day is being charged; access opens once it is paid. { stop } { help }
lapsed = Your subscription to { $name } has ended: nothing was charged for 30 days. { ending }
ended-by-network = Your network has ended your subscription to { $name }. { ending }
left = You have left { $name }. { ending }
refunded = A charge of { $amount } for { $name } was on its way when you left. It is given back: you pay nothing for it. { help }

## The join page

# The words around the button that joins, stored with a consent: as in frontend/languages, which a test checks.
consent = { $name }. { $amount }/{ $period ->
    [week] week
    [month] month
   *[day] day
  } · 18+ · how to stop. I agreed to the Terms and Conditions. JOIN

## Errors: `error_message` of services and the gateway. Technical names (ext_ref, WAP, JSON, https) stay as they are.

no-session = Please join or confirm it's you first.
subscription-not-active = Your subscription is not active.
not-active-yet = This number is not active yet. Please join first.
other-number = You can only do this for your own number.
other-service = Your session is for another service.
not-a-number = That is not a South African mobile number. Please enter it like 0812345678.
too-many-attempts = Too many attempts. Please wait a little and try again.
network-silent = Your network is not answering right now. Please try again in a moment.
blocked = This number cannot join. Please call the helpline.
no-test-number = There is no test number here.
only-test-number = Only the test number can do this.
wrong-channel = The channel must be WAP.
bad-ext-ref = The ext_ref must be at most 256 characters of plain text.
no-such-service = There is no such service.
no-such-artist = There is no such artist.
no-such-video = There is no such video.
no-such-category = There is no such category.
no-such-meme = There is no such meme.
no-such-row = The resource does not exist.
no-such-host = This host is none of our sites.
nothing-here = There is nothing at this address.
search-empty = Type a word to search for.
search-too-long = The search is too long: it may have 100 characters.
page-after-id = The page must start after an id.
page-after-item = The page must start after an item of the list.
limit-not-positive = The limit must be a positive integer.
random-limit = The limit must be between 1 and 100.
not-an-id = An id is a positive 64-bit integer.
malformed-request = The request could not be understood.
malformed-address = The address could not be understood.
malformed-query = The query could not be understood: a value is missing or of the wrong type.
malformed-body = The body could not be understood.
invalid-json = The body is not valid JSON.
wrong-field = The body is JSON, but a field is missing or of the wrong type.
not-json = The body must be sent as application/json.
not-a-form = Please send the form itself.
too-large = What was sent is too large.
head-too-large = The request's headers are too large.
too-slow = The request took too long to arrive.
wrong-method = This address does not take that method.
one-host = The request must name one host.
foreign-origin = This can only be done from the site itself.
image-address = An image's address has the form /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.
image-width = An image's width is 160, 320, 480, 640, 960 or 1280.
image-https = The image's address must begin with https.
image-origin = Images of that origin are not shown here.
not-an-image = This is not an image that can be shown.
not-our-figure = This is no figure of a page of ours.
too-many-requests = Too many requests come from your connection. Please try again in a moment.
too-many-connections = Too many connections are open from where you are. Please try again in a moment.
part-unavailable = This part of the site is away for a moment. Please try again.
busy = We are busy right now. Please try again in a moment.
stopping = The service is stopping.
went-wrong = Something went wrong on our side. Please try again.

## The sandbox network's pages, where a join, a leave or a number is confirmed. $name: the brand. $period: day, week or month.

network-confirm = Confirm
network-decline = Decline
network-subscribe = Subscribe to { $name }?
network-charge = { $period ->
    [week] The charge is taken from your airtime every week until you stop.
    [month] The charge is taken from your airtime every month until you stop.
   *[day] The charge is taken from your airtime every day until you stop.
  }
network-per = { $period ->
    [week] per week
    [month] per month
   *[day] per day
  }
network-verify = Is this you?
network-verify-lead = Confirm that this is your number. It costs nothing and changes nothing.
network-leave = End your subscription to { $name }?
network-leave-lead = It ends at once, and you are not charged again. This costs nothing.
network-service = Service
network-number = Number
network-stop = To stop
network-stop-how = SMS STOP, any time
network-cost = Cost
network-adult = By confirming you say that you are 18 or over and pay for this number, or have leave of the person who does.
network-join = Join { $name }
network-join-lead = We could not read your number from this connection. Please enter it to go on.
network-your-number = Your mobile number
network-example = eg 0812345678
network-continue = Continue
network-join-small = You confirm on the next page. Nothing is charged before that. For users of 18 and over in South Africa.
network-not-a-number = Please enter a South African mobile number, like 0812345678.
network-answered = You have answered this already
network-answered-lead = Nothing more is needed here.
network-back = Back to { $name }
network-no-service = No such service
network-no-service-lead = This network bills no service of that id.
network-no-page = No such page
network-no-page-lead = This address asks for nothing. Please start again on the site you came from.
network-expired = This page has expired
network-expired-lead = It waited five days for an answer. Please start again on the site you came from.
