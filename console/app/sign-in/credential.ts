/** Bytes of a text in base64url. */
export const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

/** Text in base64url. */
const toText = (bytes: ArrayBuffer | null | undefined) =>
  bytes &&
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A response for a new passkey or for a sign-in. */
type AnyResponse = AuthenticatorResponse & Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>

/**
 * The response of a passkey as JSON. Not `PublicKeyCredential.toJSON()`: Safari has it from 18.4 on, Chrome from 129 on, and it fails for credentials
 * that the extension of a password manager has created.
 */
export const toJson = ({ id, type, response }: { id: string; type: string; response: AnyResponse }) => ({
  id,
  type,
  response: {
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData ?? response.getAuthenticatorData?.()),
    signature: toText(response.signature),
    publicKey: toText(response.getPublicKey?.()),
    publicKeyAlgorithm: response.getPublicKeyAlgorithm?.(),
    transports: response.getTransports?.(),
  },
})
