/** The browser's part of passkeys (WebAuthn). Options and credentials are JSON, as the server writes and reads them. */
import type { NewPasskeyOptions, SecondFactor } from './types';

/** Whether this browser has passkeys, which it has not on a page without https. */
export const canUsePasskeys = (): boolean =>
  typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';

export async function makePasskey({ passkey }: NewPasskeyOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(passkey.publicKey);
  return jsonOf(await navigator.credentials.create({ publicKey }));
}

export async function answerByPasskey({ publicKey }: NonNullable<SecondFactor['passkey']>): Promise<unknown> {
  return jsonOf(
    await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey),
    }),
  );
}

const jsonOf = (credential: Credential | null): unknown =>
  (credential as PublicKeyCredential | null)?.toJSON();
