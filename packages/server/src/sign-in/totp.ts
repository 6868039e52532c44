import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const stepSeconds = 30;
const digits = 6;
/** Number of steps that a clock may be off, either way. */
const tolerance = 1;
const secretBytes = 20;
const recoveryCodes = 10;
/** Long enough that a hash of it needs no salt and no time: 80 bits. */
const recoveryBytes = 10;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Purpose of the seal of a user's secret. */
export function totpPurpose(userId: string): string {
  return `totp ${userId}`;
}

/** A new secret, in base32 as authenticator apps read it. */
export function createTotpSecret(): string {
  return toBase32(randomBytes(secretBytes));
}

/** URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, account: string): string {
  const label = encodeURIComponent(`Holdfast:${account}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Holdfast&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

/** The code of a time step, after RFC 6238. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

/** The time step of a moment. */
export function totpStep(now: number): number {
  return Math.floor(now / 1000 / stepSeconds);
}

/** The step whose code this is, if it is good now and later than the last one that was taken: none is good twice. */
export function findTotpStep(secret: string, code: string, now: number, lastStep: number | null): number | undefined {
  const given = code.replace(/\s/g, "");
  const current = totpStep(now);
  for (let step = current - tolerance; step <= current + tolerance; step++) {
    if (step > (lastStep ?? -1) && isSame(given, totpCode(secret, step))) return step;
  }
  return undefined;
}

/** New recovery codes: what is shown once, and the hashes that are kept. */
export function createRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: recoveryCodes }, () =>
    toBase32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, "$1-"),
  );
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** Hashes that remain after a recovery code was used; undefined if it is none of them. */
export function useRecoveryCode(hashes: readonly string[], code: string): string[] | undefined {
  const hash = hashRecoveryCode(code);
  return hashes.includes(hash) ? hashes.filter((one) => one !== hash) : undefined;
}

function hashRecoveryCode(code: string): string {
  return createHash("sha256").update(code.replace(/[\s-]/g, "").toUpperCase()).digest("hex");
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
