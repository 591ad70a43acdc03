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
