import type { sessionBodies } from "@holdfast/api/session/session-paths";
import { html, raw } from "hono/html";
import type { z } from "zod";
import { voidLinkText } from "../../access/one-time-links";
import { pageHead, wordmark } from "../page-head";
import { linkPageScript } from "./script";
import { linkPageStyle } from "./style";

type Html = ReturnType<typeof html>;

/** Field that a person fills in. The name is that of the field in the body that is sent. */
export interface LinkField {
  name: string;
  type: "text" | "email" | "password";
  label: string;
  hint: string;
  autocomplete: string;
  isNeeded: boolean;
}

/** Differences between the pages. */
export interface LinkForm {
  /** Purpose of the link, as `/link-check` takes it. */
  purpose: z.infer<(typeof sessionBodies)["check-link"]>["purpose"];
  title: string;
  lead: string;
  fields: readonly LinkField[];
  button: string;
  /** Advice if the link came without its secret. */
  whereFrom: string;
  /** Advice if the service says that the link is not valid. */
  whenVoid: string;
  doneTitle: string;
  /** Next steps for the person. */
  next: Html;
}

/** Renders a page that shows one of its sections at a time: the form, why it cannot be used, or what was done. */
export function renderLinkPage(form: LinkForm): string {
  return html`<!doctype html>
<html lang="en">
<head>
${pageHead(`${form.title} · Holdfast`)}
<meta name="robots" content="noindex">
<style>${raw(linkPageStyle)}</style>
</head>
<body>
<main>
<p class="brand">${wordmark("Holdfast")}</p>
<section id="ask" hidden>
<h1 tabindex="-1">${form.title}</h1>
<p class="lead">${form.lead}</p>
<form novalidate data-purpose="${form.purpose}">
<p id="refusal" class="refusal" role="alert" tabindex="-1" hidden></p>
${form.fields.map(renderField)}
<button type="submit" class="send">${form.button}</button>
<p id="progress" class="hint" role="status" aria-live="polite"></p>
</form>
</section>
<section id="incomplete" hidden>
<h1 tabindex="-1">This link is not whole</h1>
<p>The part behind the <code>#</code> is missing. ${form.whereFrom}</p>
<p>Loading this page again does not bring it back: it is removed from the address bar, so that it cannot be read there.</p>
</section>
<section id="void" hidden>
<h1 tabindex="-1">This link cannot be used</h1>
<p>${voidLinkText}</p>
<p>${form.whenVoid}</p>
</section>
<section id="done" hidden>
<h1 tabindex="-1">${form.doneTitle}</h1>
<p>You are signed in as <strong id="who"></strong>.</p>
${form.next}
</section>
<noscript>
<h1>${form.title}</h1>
<p>This page needs JavaScript, which is turned off in your browser. Turn it on for this address and open the link again.</p>
</noscript>
</main>
<script>${raw(linkPageScript)}</script>
</body>
</html>
`.toString();
}

function renderField({ name, type, label, hint, autocomplete, isNeeded }: LinkField): Html {
  return html`<div class="field">
<label for="${name}">${label}${isNeeded ? "" : html` <span class="optional">(optional)</span>`}</label>
<p id="${name}-hint" class="hint">${hint}</p>
<div class="entry">
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${name}-hint ${name}-fault"
${isNeeded ? "required" : ""} ${type === "text" ? "" : raw('autocapitalize="none" spellcheck="false"')}>
${type === "password" ? html`<button type="button" class="reveal" aria-controls="${name}" aria-label="Show password">Show</button>` : ""}
</div>
<p id="${name}-fault" class="fault" hidden></p>
</div>
`;
}
