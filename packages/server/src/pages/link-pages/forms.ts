import { html } from "hono/html";
import { minPasswordLength } from "../../sign-in/password-rules";
import type { LinkField, LinkForm } from "./page";

const password: LinkField = {
  name: "password",
  type: "password",
  label: "New password",
  hint: `${minPasswordLength} characters or more, easiest as a few words. Not a common password, and not your name or address.`,
  autocomplete: "new-password",
  isNeeded: true,
};

/** For a user who was invited, or who has lost the password. */
export const invitationForm: LinkForm = {
  purpose: "invitation",
  title: "Set your password",
  lead: "You are signed in to Holdfast as soon as it is set.",
  // The password first: browsers take a text that stands before it for the name to sign in with.
  fields: [
    password,
    {
      name: "full_name",
      type: "text",
      label: "Your full name",
      hint: "Leave it empty to keep the name that is known here.",
      autocomplete: "name",
      isNeeded: false,
    },
  ],
  button: "Set password",
  whereFrom: "Open it again from the message that you got, or copy it from there as a whole.",
  whenVoid: "The person who invited you can make a new link. If you have set a password already, that one is good.",
  doneTitle: "Your password is set",
  next: html`<p>From now on, that address and your new password are what you sign in with.</p>
<a class="open" href="console/">Open the console</a>
<p class="lead">What programs can do with Holdfast is in the <a href="docs">documentation of the API</a>.</p>`,
};

/** For the first owner. */
export const firstOwnerForm: LinkForm = {
  purpose: "first_owner",
  title: "Become the first owner",
  lead: "An owner may do everything in this Holdfast: invite people, give roles, manage keys.",
  fields: [
    {
      name: "full_name",
      type: "text",
      label: "Your full name",
      hint: "As others are to see it.",
      autocomplete: "name",
      isNeeded: true,
    },
    {
      name: "email",
      type: "email",
      label: "E-mail address",
      hint: "You sign in with it.",
      autocomplete: "email",
      isNeeded: true,
    },
    password,
  ],
  button: "Become the owner",
  whereFrom: "Copy it from the terminal or the log of the service as a whole.",
  whenVoid: "As long as there is no owner, each start of the service prints a new link. It is good for an hour.",
  doneTitle: "You are the owner",
  next: html`<p>In the console you invite others, make tokens and watch tasks.</p>
<a class="open" href="console/">Open the console</a>
<p class="lead">What programs can do with Holdfast is in the <a href="docs">documentation of the API</a>.</p>`,
};
