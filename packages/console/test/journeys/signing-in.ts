import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { addPerson, password } from "../../../server/test/access/people";
import { expectOnly, heading, open, openSignedOut, viewer, world } from "../shared-world";

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

export function signingIn(): void {
  describe("signing in", () => {
    test("a visitor lands on the sign-in page, is refused with one sentence, and comes to the very address that was opened", async () => {
      await addPerson(world.beside, { email: "deep@example.org", name: "Dee Link" });
      const { page, context, complaints } = await openSignedOut(world.service.baseUrl);
      await heading(page, "Sign in").waitFor();
      expect(new URL(page.url()).pathname).toBe("/console/sign-in");
      const program = await fetch(world.service.baseUrl, { headers: { Accept: "*/*" } });
      expect([program.status, program.headers.get("content-type")]).toEqual([401, "application/json"]);
      await page.getByRole("link", { name: "Sign in with Example" }).click();
      await page.waitForURL(/error=/);
      await page.getByRole("alert").filter({ hasText: "The provider cannot be reached" }).waitFor();
      await page.goto(`${world.service.baseUrl}/console/tasks?outcome=error,lost&since=30d`);
      await page.getByLabel("E-mail address").fill("deep@example.org");
      await page.getByLabel("Password", { exact: true }).fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
      expect(new URL(page.url()).search).toBe("?outcome=error,lost&since=30d");

      const other = await context.newPage();
      await other.goto(`${world.service.baseUrl}/console/`);
      await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.getByRole("button", { name: "Account: Dee Link" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await other.getByRole("heading", { level: 1, name: "Sign in" }).waitFor({ timeout: 2_000 });
      await page.goBack();
      await heading(page, "Sign in").waitFor();
      expectOnly(complaints, /status of 40[19]/);
    });

    test("a wrong password is refused with the same sentence each time, until one says how long to wait", async () => {
      const { page, complaints } = await openSignedOut("/sign-in");
      await page.getByLabel("E-mail address").fill("no-such@example.org");
      const sentences: string[] = [];
      for (const at of [1, 2, 3, 4, 5, 6]) {
        await page.getByLabel("Password", { exact: true }).fill(`wrong ${at}`);
        const answered = page.waitForResponse((response) => response.request().method() === "POST");
        await page.getByRole("button", { name: "Sign in" }).click();
        await answered;
        await page.getByRole("alert").waitFor();
        await page.waitForTimeout(50);
        sentences.push(await page.getByRole("alert").innerText());
      }
      expect(new Set(sentences.slice(0, 5)).size).toBe(1);
      expect(sentences[5]).toMatch(/\d+ (s|min|seconds?|minutes?)\b/);
      expectOnly(complaints, /status of (401|429)/);
    });

    test("a form that is saved after the session ended is saved, as typed, once the person has signed in again", async () => {
      const { page, context, complaints } = await open("/account/profile", {
        ...viewer,
        email: "again@example.org",
        name: "Ann Before",
      });
      await page.getByLabel("Full name").fill("Ann After");
      const [cookie] = await context.cookies();
      await world.beside.database.change((db) =>
        db
          .deleteFrom("sessions")
          .where("user_id", "in", db.selectFrom("users").select("id").where("email", "=", "again@example.org"))
          .execute(),
      );
      expect(cookie?.httpOnly).toBe(true);
      await page.getByRole("button", { name: "Save changes" }).click();
      const dialog = page.getByRole("dialog", { name: "Sign in again" });
      await dialog.getByLabel("Password", { exact: true }).fill(password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Saved.").waitFor();
      await page.getByRole("button", { name: "Account: Ann After" }).waitFor();
      expectOnly(complaints, /status of 40[13]/);
    });
  });

  describe("one's own account", () => {
    test("one-time codes are turned on with the text secret, asked for at the next sign-in, and a session is ended elsewhere", async () => {
      const person = { ...viewer, email: "codes@example.org", name: "Cora Codes" };
      const { page, complaints } = await open("/account/security", person);
      await page.getByRole("button", { name: "Turn on one-time codes" }).click();
      const dialog = page.getByRole("dialog", { name: "Turn on one-time codes" });
      await dialog.getByLabel("Current password").fill(password);
      await dialog.getByRole("button", { name: "Continue" }).click();
      const secret = await dialog.getByRole("textbox", { name: "Secret" }).inputValue();
      await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret, -1));
      await dialog.getByRole("button", { name: "Confirm code" }).click();
      const codes = page.getByRole("dialog", { name: "Recovery codes" });
      await codes.waitFor();
      expect(await codes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").count()).toBe(10);
      await codes.getByRole("checkbox", { name: "I have stored these codes" }).check();
      await codes.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Turn off one-time codes" }).waitFor();

      const other = await openSignedOut("/sign-in");
      const elsewhere = other.page;
      await elsewhere.getByLabel("E-mail address").fill("codes@example.org");
      await elsewhere.getByLabel("Password", { exact: true }).fill(password);
      await elsewhere.getByRole("button", { name: "Sign in" }).click();
      const code = elsewhere.getByRole("textbox", { name: "One-time code" });
      await code.fill("000000");
      await elsewhere.getByRole("button", { name: "Sign in" }).click();
      await elsewhere.getByRole("alert").waitFor();
      await code.fill(codeOf(secret, 0));
      await elsewhere.getByRole("button", { name: "Sign in" }).click();
      await elsewhere.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

      await page.getByRole("link", { name: "Sessions" }).click();
      await page.getByRole("table", { name: "Sessions" }).getByText("This session").waitFor();
      await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
      await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor({ state: "detached" });
      await elsewhere.getByRole("link", { name: "Users" }).click();
      await elsewhere.getByRole("dialog", { name: "Sign in again" }).waitFor();
      expectOnly(other.complaints, /status of 401/);
      await page.getByRole("button", { name: "Sign out everywhere" }).click();
      const everywhere = page.getByRole("dialog", { name: "Sign out everywhere?" });
      await everywhere.getByRole("button", { name: "Sign out everywhere" }).click();
      await heading(page, "Sign in").waitFor();
      expectOnly(complaints, /status of 401/);
    });
  });
}
