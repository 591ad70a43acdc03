/** The sections that the legal texts share. */
import { type Brand, rand } from '../../brand';

export type Section = { heading: string; paragraphs: string[] };
export type LegalText = { title: string; since: string; sections: Section[] };

/** The version's date, stored with each consent: `TERMS_VERSION` in crates/subscription. Change both together. */
export const SINCE = '21 November 2026';

export const inForceSince = (date: string): string => `in force since ${date}`;

export const whoMayUse = ({ name }: Brand): Section => ({
  heading: 'Who may use the service',
  paragraphs: [
    `You must be 18 years or older to use ${name}. If you are younger, do not join, and do not use a number that belongs to someone else.`,
    `${name} is offered in South Africa only, to subscribers of South African mobile networks. It is not meant for use from other countries.`,
    'You need the permission of the person who pays the account for the number you join with. By joining you confirm that you have it.',
  ],
});

export const price = ({ name, price_cents, period }: Brand): Section => ({
  heading: 'What it costs',
  paragraphs: [
    `${name} is a subscription service. It costs ${rand(price_cents)} per ${period}, VAT included, charged by your mobile network to your airtime or your account, from the day you join until you stop.`,
    period === 'day'
      ? 'You are charged at most once for any calendar day (South African time). If there is not enough airtime on a day, we may try again on that day; a day that could not be charged is never charged later.'
      : `A ${period} begins on the day on which it is charged (South African time), and you are charged at most once for it. If there is not enough airtime, we may try again on that day and on later days; days without access are never charged later.`,
    'While charges keep failing your access is paused. After 30 days without a successful charge the subscription ends by itself.',
    'Watching and browsing also uses data, which your network charges at its own rates. The size of a video is shown on its card before you open it.',
  ],
});

export const joining = ({ name }: Brand): Section => ({
  heading: 'How you join',
  paragraphs: [
    `You join by entering your mobile number and then confirming on your network's own page. Nobody can join for you without that confirmation, and nothing is charged before it.`,
    `After joining you get an SMS that names ${name}, its price, how to stop and the helpline. The same reminder is sent every month.`,
    'We keep a record of your consent (the page and what led you to it, the time, your internet address and browser, the version of these terms and your network\u2019s answer) for as long as the law asks for it.',
  ],
});

export const leaving = ({ name, helpline, period }: Brand): Section => ({
  heading: 'How you stop',
  paragraphs: [
    `You can stop at any time and at no cost: choose "Want to unsubscribe" at the foot of any page, reply STOP to any SMS from ${name}, or dial your network\u2019s own code for content services. You can also call ${helpline}.`,
    `The subscription ends at once. You are not charged for any ${period} that begins after you stop.`,
    `If you join again within a ${period} that was already paid, you are not charged a second time for it.`,
  ],
});

export const liability = ({ name }: Brand): Section => ({
  heading: 'Our liability',
  paragraphs: [
    `We work to keep ${name} available, but we cannot promise that it is free of interruptions or errors. Networks, devices and maintenance can get in the way.`,
    'As far as the law allows, our total liability to you for anything connected with the service is limited to the amounts you paid for it in the 12 months before the event.',
    'We are not liable for indirect loss, such as lost profit or lost data, nor for what your network charges for data or calls.',
    'Nothing in these terms takes away rights that the Consumer Protection Act or other South African law gives you.',
  ],
});

export const content = ({ name }: Brand): Section => ({
  heading: 'What you may do with the content',
  paragraphs: [
    `Everything on ${name} belongs to us or to those who license it to us. Your subscription lets you watch it for yourself, on your own devices, while the subscription is active.`,
    'You may not copy, download, record, resell or publicly show it, get around its protection, or use robots to collect it.',
  ],
});

export const privacy = ({ name }: Brand): Section => ({
  heading: 'Your personal information',
  paragraphs: [
    'We handle personal information under the Protection of Personal Information Act (POPIA). We use your mobile number to run your subscription and to send the messages that go with it, and for nothing else without your consent.',
    `We keep what you like or save on ${name}, so that you find it again, and technical records (such as the time and the type of device) to keep the service safe and working. Numbers are masked in our logs.`,
    'We share your number with your mobile network, because it confirms and charges the subscription, and with authorities where the law demands it. We do not sell it.',
    'You may ask us what we hold about you, have it corrected, or have it deleted where no law obliges us to keep it. You may also complain to the Information Regulator of South Africa.',
  ],
});

export const changes = ({ name }: Brand): Section => ({
  heading: 'Changes',
  paragraphs: [
    `We may change these terms. If a change matters to you, such as one of price, we tell you by SMS before it takes effect, and you can stop ${name} before then.`,
    'These terms are governed by the law of South Africa.',
  ],
});

export const contact = ({ name, helpline, support_email }: Brand): Section => ({
  heading: 'How to reach us',
  paragraphs: [
    `Helpline: ${helpline}, every day from 08:00 to 20:00. E-mail: ${support_email}.`,
    `Please tell us your number and that it is about ${name}. We answer within three working days. If you are not satisfied you can turn to the Wireless Application Service Providers\u2019 Association (WASPA), whose code of conduct we follow.`,
  ],
});
