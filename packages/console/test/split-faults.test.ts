import { expect, test } from "bun:test";
import { HoldfastError } from "@holdfast/client";
import { splitFaults } from "../src/data/split-faults";

const labels = { full_name: "Full name", "schedule.cron": "Cron expression", grants: "Roles held" };

function refusal(...faults: { field?: string; error_message: string }[]) {
  return new HoldfastError({
    status: 422,
    requestId: "request-1",
    faults: faults.map((fault) => ({ error_code: 42201, ...fault })),
  });
}

test.each([
  ["/full_name", 'The field "full_name" has to be one line.', "full_name", "Full name has to be one line."],
  [
    "/full_name",
    'The field "full_name" is missing. It has to be a text.',
    "full_name",
    "Full name is missing. It has to be a text.",
  ],
  [
    "/schedule/cron",
    'The field "schedule.cron" has to be shorter.',
    "schedule.cron",
    "Cron expression has to be shorter.",
  ],
  ["/grants/0/role_id", 'The field "grants.0.role_id" has to be a UUID.', "grants", "Roles held has to be a UUID."],
  ["/schedule", 'The field "schedule" has to be an object.', "schedule.cron", "Cron expression has to be an object."],
  ["/full_name", "There is a user of that name already.", "full_name", "There is a user of that name already."],
])("a fault of %s is said at its field, in the words of its label", (field, error_message, place, said) => {
  expect(splitFaults(refusal({ field, error_message }), labels)).toEqual({
    errors: { [place]: said },
    rest: undefined,
  });
});

test("a parameter is a field, too", () => {
  const error = refusal({ field: "cron", error_message: "The parameter cron has to have five fields." });
  expect(splitFaults(error, { cron: "Cron expression" }).errors).toEqual({
    cron: "Cron expression has to have five fields.",
  });
});

test("what is about no field of the form is left, and keeps its status and its request", () => {
  const other = { field: "/slug", error_message: "There is a monitor with this slug." };
  const both = refusal({ field: "/full_name", error_message: "One." }, other, {
    field: "/full_name",
    error_message: "Two.",
  });
  const { errors, rest } = splitFaults(both, labels);
  expect(errors).toEqual({ full_name: "One. Two." });
  expect(rest).toMatchObject({ status: 422, requestId: "request-1", faults: [other] });
  expect(splitFaults(refusal(other), labels).rest).toBeInstanceOf(HoldfastError);
});

test("a field whose name begins like another one is another one", () => {
  const error = refusal({ field: "/full_name_of_host", error_message: "No." });
  expect(splitFaults(error, labels)).toEqual({ errors: {}, rest: error });
});

test("an error that is none of the service's is left as it is", () => {
  const error = new TypeError("no");
  expect(splitFaults(error, labels)).toEqual({ errors: {}, rest: error });
});
