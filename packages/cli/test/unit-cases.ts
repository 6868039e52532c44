import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { type ChangeCase, cases, patch, post, remove } from "./change-case";
import { absent } from "./changed-world";

const units = "/organizational-units";

/** Cases for units. */
export const unitCases: readonly ChangeCase[] = [
  ...cases("unit create", [
    [
      "done",
      "below a unit",
      (id) => ["--name", "West", "--parent", id.north],
      (id) => post(units, { name: "West", parent_id: id.north }),
    ],
    ["done", "below the root", () => ["--name", "West"], () => post(units, { name: "West" })],
    ["refused", "a name that is taken", () => ["--name", "NORTH"], () => post(units, { name: "NORTH" })],
    [
      "refused",
      "below nothing",
      () => ["--name", "West", "--parent", absent],
      () => post(units, { name: "West", parent_id: absent }),
    ],
  ]),
  ...cases("unit rename", [
    [
      "done",
      "to a new name",
      (id) => [id.south, "--name", "Süd"],
      (id) => patch(`${units}/${id.south}`, { name: "Süd" }),
    ],
    [
      "refused",
      "to a name that is taken",
      (id) => [id.south, "--name", "North"],
      (id) => patch(`${units}/${id.south}`, { name: "North" }),
    ],
    ["refused", "nothing", () => [absent, "--name", "West"], () => patch(`${units}/${absent}`, { name: "West" })],
  ]),
  ...cases("unit move", [
    [
      "done",
      "to another place",
      (id) => [id.lower, "--parent", id.south],
      (id) => patch(`${units}/${id.lower}`, { parent_id: id.south }),
    ],
    [
      "done",
      "to where it is",
      (id) => [id.lower, "--parent", id.north],
      (id) => patch(`${units}/${id.lower}`, { parent_id: id.north }),
    ],
    [
      "refused",
      "below itself",
      (id) => [id.north, "--parent", id.lower],
      (id) => patch(`${units}/${id.north}`, { parent_id: id.lower }),
    ],
    [
      "refused",
      "the root",
      (id) => [rootUnitId, "--parent", id.north],
      (id) => patch(`${units}/${rootUnitId}`, { parent_id: id.north }),
    ],
    [
      "refused",
      "to nowhere",
      (id) => [id.lower, "--parent", absent],
      (id) => patch(`${units}/${id.lower}`, { parent_id: absent }),
    ],
  ]),
  ...cases("unit delete", [
    ["done", "an empty unit", (id) => [id.lower, "--yes"], (id) => remove(`${units}/${id.lower}`)],
    [
      "done",
      "a unit whose contents move",
      (id) => [id.south, "--move-to", id.lower, "--yes"],
      (id) => remove(`${units}/${id.south}?move_to=${id.lower}`),
    ],
    ["refused", "a unit that is not empty", (id) => [id.north, "--yes"], (id) => remove(`${units}/${id.north}`)],
    ["refused", "the root", () => [rootUnitId, "--yes"], () => remove(`${units}/${rootUnitId}`)],
    [
      "refused",
      "a unit into nothing",
      (id) => [id.south, "--move-to", absent, "--yes"],
      (id) => remove(`${units}/${id.south}?move_to=${absent}`),
    ],
  ]),
];
