/// <reference types="node" />
/** What is asked of a page about its saved films, as expressions that the oldest engine knows; and a leave on another phone. */
import { type APIRequestContext, expect, request } from '@playwright/test';
import { site } from './visit';

const SVC_ID = 148;

/** Records the address of each part that the page decrypts from now on. */
export const RECORD_DECRYPTED = `(function () {
  window.decrypted = {};
  var decrypt = crypto.subtle.decrypt;
  crypto.subtle.decrypt = function (how) {
    window.decrypted[new TextDecoder().decode(how.additionalData)] = true;
    return decrypt.apply(crypto.subtle, arguments);
  };
})()`;
export const DECRYPTED = 'Object.keys(window.decrypted).length';

/** Keys, films and parts in the database, as `1 1 34`; counted by the call before. */
export const RECORDS = `(function () {
  indexedDB.open('spaza-saved').onsuccess = function (opened) {
    var db = opened.target.result;
    var names = ['keys', 'films', 'parts'];
    var read = db.transaction(names);
    var counts = names.map(function (name) { return read.objectStore(name).count(); });
    read.oncomplete = function () {
      window.records = counts.map(function (each) { return each.result; }).join(' ');
      db.close();
    };
  };
  return window.records;
})()`;

/** Plays a film from its beginning: on a busy machine some of it has played before it was paused. */
export const FORGET_PLACE = "localStorage.removeItem('spaza.resume')";

/** Plays all parts on to the end, and of each a second or two: on a busy machine, Firefox stops for good at many times the speed. */
export const PLAY_FAST = `(function () {
  var video = document.querySelector('video');
  video.loop = false;
  video.addEventListener('timeupdate', function () {
    var end = video.buffered.length && video.buffered.end(video.buffered.length - 1);
    if (!video.seeking && video.currentTime < end - 3) video.currentTime = end - 2;
  });
})()`;
export const HAS_ENDED = "document.querySelector('video').ended";

/** Opens a session on another phone, after the network has confirmed the number. */
export async function confirmNumber(phone: APIRequestContext, msisdn: string): Promise<void> {
  const led = await phone.post(`${site('mcfunny')}/api/subscribe/verify`, {
    data: { msisdn, svc_id: SVC_ID },
  });
  const back = await phone.post((await led.json()).redirectUrl, { form: { answer: 'confirm' } });
  const { search } = new URL(back.url());
  await phone.get(`${site('mcfunny')}/api/subscribe/check-sub${search}`);
}

export async function leaveOnAnotherPhone(msisdn: string): Promise<void> {
  const phone = await request.newContext();
  await confirmNumber(phone, msisdn);
  const left = await phone.post(`${site('mcfunny')}/api/subscribe/unsubscribe`, { data: { svc_id: SVC_ID } });
  expect(left.ok(), await left.text()).toBe(true);
  await phone.dispose();
}
