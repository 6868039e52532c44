import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";

/** The one script of the pages, which runs in the browser. It shows what the service says as text, never as markup. */
export const linkPageScript = `
"use strict";
const linkInvalid = ${errorCatalogue.linkInvalid.code};
const element = (id) => document.getElementById(id);
const form = document.querySelector("form");
const send = form.querySelector(".send");
const reveal = form.querySelector(".reveal");
const inputs = [...form.querySelectorAll("input")];
let secret = "";

/** Takes the secret out of the address, where others could read it and browsers would keep it. */
function takeSecret() {
  secret = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (secret === "") show("incomplete");
  else showForm(secret);
}

/** Asks for nothing if the link was used or has expired. If the service does not answer, the form says so when it is sent. */
async function showForm(looked) {
  const asked = { secret: looked, purpose: form.dataset.purpose };
  const { body } = await post("link-check", asked).catch(() => ({ body: {} }));
  // Another link may have been opened meanwhile.
  if (looked !== secret) return;
  if (body.is_usable === false) show("void").focus();
  else show("ask");
}

function show(id) {
  for (const section of document.querySelectorAll("section")) section.hidden = section.id !== id;
  const heading = element(id).querySelector("h1");
  document.title = heading.textContent + " · Holdfast";
  return heading;
}

function revealPassword(isShown) {
  element("password").type = isShown ? "text" : "password";
  reveal.textContent = isShown ? "Hide" : "Show";
  reveal.setAttribute("aria-label", isShown ? "Hide password" : "Show password");
}

function typed() {
  const filled = inputs.filter((input) => input.required || input.value.trim() !== "");
  return Object.fromEntries(filled.map((input) => [input.name, input.value]));
}

/** Shows each message at the field that it is about, the others above, and leads to the first. */
function tellFaults(errors) {
  const others = [];
  for (const { error_message: message, field } of errors) {
    const input = inputs.find((one) => "/" + one.name === field);
    if (!input) others.push(message);
    else {
      input.setAttribute("aria-invalid", "true");
      // It stands at the field, so it need not name it as programs do.
      showText(element(input.name + "-fault"), message.replace(/^The field "[a-z_]+" has/, "This has"));
    }
  }
  showText(element("refusal"), others.join(" "));
  const first = others.length > 0 ? element("refusal") : inputs.find((input) => input.hasAttribute("aria-invalid"));
  first?.focus();
}

function forgetFaults() {
  showText(element("refusal"), "");
  for (const input of inputs) {
    input.removeAttribute("aria-invalid");
    showText(element(input.name + "-fault"), "");
  }
}

function showText(shown, text) {
  shown.textContent = text;
  shown.hidden = text === "";
}

function setSending(isSending) {
  send.disabled = isSending;
  form.setAttribute("aria-busy", String(isSending));
  element("progress").textContent = isSending ? "One moment …" : "";
}

async function post(path, body) {
  // Not same-origin: in that mode a page that sends no referrer has no origin either, says the standard, and is refused.
  const answer = await fetch(path, {
    method: "POST",
    mode: "cors",
    credentials: "same-origin",
    redirect: "error",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { isDone: answer.ok, body: await answer.json() };
}

function tellRefusal(errors) {
  if (errors.some((one) => one.error_code === linkInvalid)) show("void").focus();
  else tellFaults(errors);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  forgetFaults();
  revealPassword(false);
  setSending(true);
  try {
    const { isDone, body } = await post(location.pathname, { secret, ...typed() });
    setSending(false);
    if (!isDone) return tellRefusal(body.errors);
    element("who").textContent = body.user.email;
    show("done").focus();
    secret = "";
    form.reset();
  } catch {
    setSending(false);
    tellFaults([{ error_message: "The service did not answer. See that you are connected, and try again in a moment." }]);
  }
});
reveal.addEventListener("click", () => revealPassword(element("password").type === "password"));
// Where the link is opened again in the same tab, the page is not reloaded.
addEventListener("hashchange", takeSecret);
takeSecret();
`;
