/** The sections of the terms: of each, the ids of its heading and its paragraphs in languages/*.toml. */
import type { TermsId } from '../../message-types';

export type Section = [heading: TermsId, ...paragraphs: TermsId[]];
export type LegalText = { title: TermsId; sections: Section[] };

/** The version's date, stored with each consent: `TERMS_VERSION` in crates/subscription. Change both together. */
export const SINCE = '2026-11-27';

export const whoMayUse: Section = ['who', 'who-age', 'who-country', 'who-account'];
export const price: Section = ['price', 'price-day', 'price-once', 'price-paused', 'price-data'];

const LONGER = {
  'price-once': 'price-once-longer',
  'leaving-at-once': 'leaving-at-once-longer',
  'leaving-again': 'leaving-again-longer',
} as const;
/** What stands in place of a paragraph where the brand's own price is for a week or a month. */
export const PERIODS: Record<string, Partial<Record<TermsId, TermsId>>> = {
  week: { 'price-day': 'price-week', ...LONGER },
  month: { 'price-day': 'price-month', ...LONGER },
};

export const joining: Section = ['joining', 'joining-confirm', 'joining-sms', 'joining-record'];
export const leaving: Section = ['leaving', 'leaving-ways', 'leaving-at-once', 'leaving-again'];
export const liability: Section = [
  'liability',
  'liability-available',
  'liability-limit',
  'liability-indirect',
  'liability-rights',
];
export const content: Section = ['content', 'content-yours', 'content-not'];
export const privacy: Section = [
  'privacy',
  'privacy-popia',
  'privacy-kept',
  'privacy-shared',
  'privacy-rights',
];
export const changes: Section = ['changes', 'changes-sms', 'changes-law'];
export const contact: Section = ['contact', 'contact-ways', 'contact-waspa'];
