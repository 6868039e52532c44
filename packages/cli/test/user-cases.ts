import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { type ChangeCase, cases, held, patch, post, viewer } from "./change-case";
import { absent } from "./changed-world";

const person = (email: string) => ["--email", email, "--name", "Eva"];
const newUser = (email: string, ...access_control_configuration: object[]) =>
  post("/users", { email, full_name: "Eva", access_control_configuration });

/** Cases for people. */
export const userCases: readonly ChangeCase[] = [
  ...cases("user create", [
    [
      "done",
      "with a role in a unit",
      (id) => [...person("e@example.org"), "--role", "viewer", "--ou", id.north],
      (id) => newUser("e@example.org", held(viewer, id.north)),
      ["is_confirmed"],
    ],
    ["done", "without a role", () => person("e@example.org"), () => newUser("e@example.org"), ["is_confirmed"]],
    ["refused", "with an address that is taken", () => person("BOB@example.org"), () => newUser("BOB@example.org")],
    [
      "refused",
      "with a role of another unit",
      () => [...person("e@example.org"), "--role", "crew"],
      (id) => newUser("e@example.org", held(id.crew, rootUnitId)),
    ],
    [
      "refused",
      "in no unit",
      () => [...person("e@example.org"), "--role", "viewer", "--ou", absent],
      () => newUser("e@example.org", held(viewer, absent)),
    ],
  ]),
  ...cases("user invite", [
    ["done", "who has not confirmed", () => ["Invited@example.org"], (id) => post(`/users/${id.invited}/invitation`)],
    ["refused", "who is disabled", (id) => [id.disabled], (id) => post(`/users/${id.disabled}/invitation`)],
    ["refused", "who does not exist", () => [absent], () => post(`/users/${absent}/invitation`)],
  ]),
  ...cases("user enable", [
    ["done", "who is disabled", (id) => [id.disabled], (id) => patch(`/users/${id.disabled}`, { is_enabled: true })],
    ["done", "who is enabled", (id) => [id.bob], (id) => patch(`/users/${id.bob}`, { is_enabled: true })],
    ["refused", "who does not exist", () => [absent], () => patch(`/users/${absent}`, { is_enabled: true })],
  ]),
  ...cases("user disable", [
    [
      "done",
      "who holds roles in two units",
      (id) => [id.bob],
      (id) => patch(`/users/${id.bob}`, { is_enabled: false }),
    ],
    ["refused", "the last owner", (id) => [id.owner], (id) => patch(`/users/${id.owner}`, { is_enabled: false })],
    ["refused", "who does not exist", () => [absent], () => patch(`/users/${absent}`, { is_enabled: false })],
  ]),
  ...cases("user grant", [
    [
      "done",
      "in one more unit",
      (id) => [id.bob, "--role", "viewer", "--ou", id.crowded],
      (id) =>
        patch(`/users/${id.bob}`, { access_control_configuration: [held(viewer, id.north, id.south, id.crowded)] }),
    ],
    [
      "done",
      "what is held",
      (id) => [id.full, "--role", "viewer", "--ou", id.north],
      (id) => patch(`/users/${id.full}`, { access_control_configuration: [held(viewer, id.north)] }),
    ],
    [
      "refused",
      "a role of another unit",
      (id) => [id.full, "--role", "crew", "--ou", id.south],
      (id) =>
        patch(`/users/${id.full}`, { access_control_configuration: [held(viewer, id.north), held(id.crew, id.south)] }),
    ],
    [
      "refused",
      "in no unit",
      (id) => [id.full, "--role", "viewer", "--ou", absent],
      (id) => patch(`/users/${id.full}`, { access_control_configuration: [held(viewer, id.north, absent)] }),
    ],
    [
      "refused",
      "to nobody",
      (id) => [absent, "--role", "viewer", "--ou", id.north],
      (id) => patch(`/users/${absent}`, { access_control_configuration: [held(viewer, id.north)] }),
    ],
  ]),
  ...cases("user revoke", [
    [
      "done",
      "in one of two units",
      (id) => [id.bob, "--role", "Viewer", "--ou", id.north],
      (id) => patch(`/users/${id.bob}`, { access_control_configuration: [held(viewer, id.south)] }),
    ],
    [
      "refused",
      "of the last owner",
      (id) => [id.owner, "--role", "owner"],
      (id) => patch(`/users/${id.owner}`, { access_control_configuration: [] }),
    ],
    [
      "refused",
      "of nobody",
      () => [absent, "--role", "viewer"],
      () => patch(`/users/${absent}`, { access_control_configuration: [] }),
    ],
  ]),
];
