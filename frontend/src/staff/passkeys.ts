/** The browser's part of passkeys (WebAuthn). Options and credentials are JSON, as the server writes and reads them. */
import type { RegistrationOptions, SecondFactor } from '../shared/contract/staff';

type Json = Record<string, unknown>;

/** Whether this browser has passkeys, which it has not on a page without https. */
export const canUsePasskeys = (): boolean =>
  typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';

export async function makePasskey({ passkey }: RegistrationOptions): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    passkey.publicKey as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf(await navigator.credentials.create({ publicKey }));
}

export async function answerByPasskey({ publicKey }: NonNullable<SecondFactor['passkey']>): Promise<Json> {
  return jsonOf(
    await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        publicKey as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
}

const jsonOf = (credential: Credential | null): Json => ({
  ...(credential as PublicKeyCredential | null)?.toJSON(),
});
