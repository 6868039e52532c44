import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

/** Encrypts and authenticates small texts with one key. What was sealed for one purpose cannot be opened for another. */
export interface Sealer {
  seal(plain: string, purpose: string): string;
  /** Gives the text back, or undefined where it was altered, or sealed with another key or for another purpose. */
  open(sealed: string, purpose: string): string | undefined;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Makes a sealer from key material. Sealing is deterministic (the nonce is a MAC of the content), so that equal pages
 * have equal cursors and an ETag stays the same in every process.
 */
export function createSealer(keyMaterial: Uint8Array): Sealer {
  const encryptionKey = deriveKey(keyMaterial, "holdfast seal encryption");
  const nonceKey = deriveKey(keyMaterial, "holdfast seal nonce");
  return {
    seal(plain, purpose) {
      const nonce = createHmac("sha256", nonceKey)
        .update(`${purpose.length} ${purpose}${plain}`)
        .digest()
        .subarray(0, nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", encryptionKey, nonce).setAAD(Buffer.from(purpose));
      const body = cipher.update(plain, "utf8");
      // This cipher has given everything by now: its end only makes the tag.
      cipher.final();
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < nonceBytes + tagBytes || bytes.toString("base64url") !== sealed) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", encryptionKey, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

function deriveKey(keyMaterial: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", keyMaterial, "", use, 32));
}
