import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { password } from "../../../server/test/access/people";
import { expectOnly, heading, open, openSignedOut, rows } from "../shared-world";

/** The one-time code of a secret, as an authenticator app shows it so many half minutes from now. */
function codeOf(secret: string, halfMinutes: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/[^A-Z2-7]/g, "")].map((one) => letters.indexOf(one).toString(2).padStart(5, "0"));
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + halfMinutes));
  const mac = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

export function oneTimeCodes(): void {
  test("3, 36: one-time codes are turned on with the text secret and asked for at the next sign-in; sessions are ended elsewhere and everywhere", async () => {
    const person = { email: "codes@example.org", name: "Cora Codes", roles: [{ role: "owner" as const }] };
    const { page, complaints } = await open("/account/security", person);
    await page.getByRole("button", { name: "Turn on one-time codes" }).click();
    const dialog = page.getByRole("dialog", { name: "Turn on one-time codes" });
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    const secret = await dialog.getByRole("textbox", { name: "Secret" }).inputValue();
    await dialog.getByRole("img", { name: "QR code of the secret" }).waitFor();
    await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret, 0));
    await dialog.getByRole("button", { name: "Confirm code" }).click();
    const codes = page.getByRole("dialog", { name: "Recovery codes" });
    const list = codes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await list.nth(9).waitFor();
    expect(await list.count()).toBe(10);
    await page.keyboard.press("Escape");
    expect(await codes.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await codes.getByRole("checkbox", { name: "I have stored these codes" }).check();
    await codes.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Turn off one-time codes" }).waitFor();

    const other = await openSignedOut("/sign-in");
    const elsewhere = other.page;
    await elsewhere.getByLabel("E-mail address").fill("codes@example.org");
    await elsewhere.getByLabel("Password", { exact: true }).fill(password);
    await elsewhere.getByRole("button", { name: "Sign in", exact: true }).click();
    const code = elsewhere.getByRole("textbox", { name: "One-time code" });
    await code.fill("000000");
    await elsewhere.getByRole("button", { name: "Sign in", exact: true }).click();
    await elsewhere.getByRole("alert").waitFor();
    await heading(elsewhere, "Sign in").waitFor();
    expect(await elsewhere.getByLabel("E-mail address").inputValue()).toBe("codes@example.org");
    expect(await elsewhere.getByLabel("Password", { exact: true }).inputValue()).toBe(password);
    // The next one: a code is good once, and half a minute may end while it is typed.
    await code.fill(codeOf(secret, 1));
    await elsewhere.getByRole("button", { name: "Sign in", exact: true }).click();
    await heading(elsewhere, "Overview").waitFor();

    await page.getByRole("link", { name: "Sessions" }).click();
    await rows(page, "Sessions").getByText("This session").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor({ state: "detached" });
    await elsewhere.getByRole("link", { name: "Users" }).click();
    await elsewhere.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    const everywhere = page.getByRole("dialog", { name: "Sign out everywhere?" });
    await everywhere.getByRole("button", { name: "Sign out everywhere" }).click();
    await heading(page, "Sign in").waitFor();
    await elsewhere.goto("about:blank");
    expectOnly(other.complaints, /status of 401/);
    expectOnly(complaints, /status of 401/);
  });
}
