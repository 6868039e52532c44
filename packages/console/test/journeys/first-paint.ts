import { expect, test } from "bun:test";
import { expectOnly, heading, open, viewer } from "../shared-world";

const background = "getComputedStyle(document.documentElement).backgroundColor";
const around = "[...document.querySelectorAll('meta[name=theme-color]')].map((meta) => meta.content)";

export function firstPaint(): void {
  test("a page is in the colours that were chosen before its script is there, and so is what the browser draws around it", async () => {
    const { page, complaints } = await open("/account/profile", viewer, { colorScheme: "light" });
    await heading(page, "Your account").waitFor();
    await page.getByRole("button", { name: "Account: Vera Viewer" }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    await page.locator('meta[name="theme-color"][content="#1b1f23"]').nth(1).waitFor({ state: "attached" });
    expect(await page.evaluate<string[]>(around)).toEqual(["#1b1f23", "#1b1f23"]);

    const script = /\/assets\/index-\w+\.js$/;
    await page.route(script, (route) => route.abort());
    await page.reload();
    expect(await page.evaluate<string>("document.getElementById('root').innerHTML")).toBe("");
    expect(await page.evaluate<string>(background)).toBe("rgb(20, 23, 26)");
    expect(await page.evaluate<string[]>(around)).toEqual(["#1b1f23", "#1b1f23"]);

    await page.evaluate("localStorage.removeItem('holdfast-scheme')");
    await page.reload();
    expect(await page.evaluate<string>(background)).toBe("rgb(251, 251, 250)");
    await page.unroute(script);
    expectOnly(complaints, /ERR_FAILED/);
  });
}
