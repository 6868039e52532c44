import { describe, expect, test } from "bun:test";
import { ApiError, quote, refuse, refuseAll, refuseField } from "./api-error";

describe("an error", () => {
  test("has the status of its code, and an envelope", () => {
    const error = refuse("itemUnknown", "There is no such task.");
    expect(error.status).toBe(404);
    expect(error.body).toEqual({ errors: [{ error_code: 40402, error_message: "There is no such task." }] });
    expect(error.headers).toEqual({});
  });

  test("about one field or parameter names it", () => {
    expect(refuseField("bodyInvalid", "/grants/0/role_id", "Choose a role.").body).toEqual({
      errors: [{ error_code: 42201, error_message: "Choose a role.", field: "/grants/0/role_id" }],
    });
    expect(refuseField("parameterUnknown", "\ud800", "Unknown.").body.errors[0]?.field).toBe("\ufffd");
  });

  test("about a field with a longer name than any has does not repeat it", () => {
    const fieldOf = (length: number) =>
      refuseField("parameterUnknown", "x".repeat(length), "Unknown.").body.errors[0]?.field;
    expect([fieldOf(200), fieldOf(201)]).toEqual(["x".repeat(200), undefined]);
  });

  test("takes headers along", () => {
    expect(refuse("rateExceeded", "Wait.", { "Retry-After": "1" }).headers).toEqual({ "Retry-After": "1" });
  });

  test("of several faults has an element for each", () => {
    const error = new ApiError([
      { name: "parameterUnknown", message: "One." },
      { name: "filterMalformed", message: "Two." },
    ]);
    expect(error.message).toBe("One. Two.");
    expect(error.status).toBe(400);
    expect(error.body.errors).toEqual([
      { error_code: 40001, error_message: "One." },
      { error_code: 40004, error_message: "Two." },
    ]);
  });

  test("of very many faults tells the first, and how many more there are", () => {
    const faults = Array.from({ length: 110_000 }, (_, index) => ({
      name: "bodyInvalid" as const,
      message: `${index}`,
    }));
    const thrown = capture(() => refuseAll(faults));
    expect(thrown.body.errors).toHaveLength(51);
    expect(thrown.body.errors.at(-1)?.error_message).toBe("There are 109950 more errors. Correct these first.");
    expect(capture(() => refuseAll(faults.slice(0, 50))).body.errors).toHaveLength(50);
  });

  test("is thrown for all faults together, and not without one", () => {
    expect(() => refuseAll([])).not.toThrow();
    expect(() =>
      refuseAll([
        { name: "parameterInvalid", message: "A." },
        { name: "cursorInvalid", message: "B." },
      ]),
    ).toThrow("A. B.");
  });
});

describe("a quotation", () => {
  test("is what was sent, in quotes", () => {
    expect(quote('say "hi"')).toBe('"say \\"hi\\""');
  });

  test("is cut at 60 characters", () => {
    expect(quote("a".repeat(60))).toBe(`"${"a".repeat(60)}"`);
    expect(quote("a".repeat(61))).toBe(`"${"a".repeat(57)}..."`);
  });

  test("is well-formed even where the cut halves a character", () => {
    expect(quote(`${"a".repeat(56)}${"😀".repeat(9)}`).isWellFormed()).toBe(true);
    expect(quote("\ud800")).toBe('"\ufffd"');
  });
});

function capture(act: () => void): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("Nothing was refused.");
}
