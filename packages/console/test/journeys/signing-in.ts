import { describe, expect, test } from "bun:test";
import { addPerson, password } from "../../../server/test/access/people";
import { expectOnly, heading, isLong, open, openSignedOut, provider, viewer, world } from "../shared-world";

/** Runs curl, as an administrator does to see whether the service is there. */
async function curl(...args: string[]): Promise<string> {
  return Bun.spawn(["curl", "-sS", "-w", " %{http_code} %{content_type}", ...args]).stdout.text();
}

export function signingIn(): void {
  describe("signing in", () => {
    test("1, 7, 8: a visitor lands on the sign-in page, comes to the very address that was opened, and leaves no data behind", async () => {
      await addPerson(world.beside, { email: "deep@example.org", name: "Dee Link" });
      const { page, context, complaints } = await openSignedOut(world.service.baseUrl);
      await heading(page, "Sign in").waitFor();
      expect(new URL(page.url()).pathname).toBe("/console/sign-in");
      expect(await curl(world.service.baseUrl)).toEndWith(" 401 application/json");
      await page.goto(`${world.service.baseUrl}/console/tasks?outcome=error,lost&since=30d`);
      await page.getByRole("textbox", { name: "E-mail address" }).fill("deep@example.org");
      await page.getByLabel("Password", { exact: true }).fill("wrong");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await heading(page, "Tasks").waitFor();
      expect(new URL(page.url()).search).toBe("?outcome=error,lost&since=30d");
      await page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" }).waitFor();

      const other = await context.newPage();
      await other.goto(`${world.service.baseUrl}/console/`);
      await heading(other, "Overview").waitFor();
      await page.getByRole("button", { name: "Account: Dee Link" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      const leftAt = performance.now();
      await heading(other, "Sign in").waitFor();
      expect(performance.now() - leftAt).toBeLessThan(isLong ? 2_000 : 30_000);
      await heading(page, "Sign in").waitFor();
      await page.goBack();
      await heading(page, "Sign in").waitFor();
      expect(await page.getByRole("table").count()).toBe(0);
      expectOnly(complaints, /status of 40[19]/);
    });

    test("4: a wrong password is refused with the same sentence each time, until one says how long to wait", async () => {
      const { page, complaints } = await openSignedOut("/sign-in");
      await page.getByLabel("E-mail address").fill("no-such@example.org");
      const sentences: string[] = [];
      for (const at of [1, 2, 3, 4, 5, 6]) {
        await page.getByLabel("Password", { exact: true }).fill(`wrong ${at}`);
        const answered = page.waitForResponse((response) => response.request().method() === "POST");
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await (await answered).finished();
        await page.locator("button[data-loading]").waitFor({ state: "detached" });
        sentences.push(await page.getByRole("alert").innerText());
      }
      expect(new Set(sentences.slice(0, 5)).size).toBe(1);
      expect(sentences[5]).toMatch(/\d+ (s|min|seconds?|minutes?)\b/);
      expectOnly(complaints, /status of (401|429)/);
    });

    test("5: a provider lets a person in, to the address that was opened; what fails there is said on the sign-in page", async () => {
      const { page, complaints, requests } = await openSignedOut("/tasks?outcome=error");
      const link = page.getByRole("link", { name: "Sign in with Example" });
      provider.refuses = true;
      await link.click();
      await page.getByRole("alert").filter({ hasText: "Signing in with the provider did not work" }).waitFor();
      await heading(page, "Sign in").waitFor();
      expect(new URL(page.url()).searchParams.get("error")).toMatch(/^\d{5}$/);

      provider.refuses = false;
      provider.person = { sub: "ida", email: "ida@example.org", email_verified: true, name: "Ida", groups: ["staff"] };
      await page.goto(`${world.service.baseUrl}/console/tasks?outcome=error`);
      await link.click();
      await heading(page, "Tasks").waitFor();
      expect(new URL(page.url()).search).toBe("?outcome=error");
      await page.getByRole("button", { name: "Account: Ida" }).click();
      await page.getByRole("menuitem", { name: "Your account" }).click();
      await page.getByRole("link", { name: "Security" }).click();
      await page.getByText("You sign in with your organization's provider.").waitFor();
      await page.goto(`${world.service.baseUrl}/console/sign-in?error=50303`);
      await page.getByRole("alert").filter({ hasText: "The provider cannot be reached" }).waitFor();
      const outside = requests.filter((one) => !one.includes(world.service.baseUrl));
      expect(outside.filter((one) => !one.startsWith(`GET ${provider.issuer}/`))).toEqual([]);
      requests.length = 0;
      expectOnly(complaints, /status of 401/);
    });

    test("9: a form that is saved after the session ended is saved, as typed, once the person has signed in again", async () => {
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
}
