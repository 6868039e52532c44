import { expect, test } from "bun:test";
import { SettingError } from "../../settings/settings";
import { readEncryption } from "./tls";
import { readPostgresUrl } from "./url";

const thisFile = import.meta.path;
const encryption = (query: string) => readPostgresUrl(`postgres://db/x?${query}`).map(readEncryption)[0];

test("each sslmode checks what it does in PostgreSQL's own programs", () => {
  const ca = expect.stringContaining("each sslmode checks");
  const anyName = { checkServerIdentity: expect.any(Function) };
  expect(encryption("")).toBeUndefined();
  expect(encryption("sslmode=disable")).toBe(false);
  expect(encryption("sslmode=require")).toEqual({ rejectUnauthorized: false, ...anyName });
  expect(encryption(`sslmode=require&sslrootcert=${thisFile}`)).toEqual({ ca, ...anyName });
  expect(encryption(`sslmode=verify-ca&sslrootcert=${thisFile}`)).toEqual({ ca, ...anyName });
  expect(encryption("sslmode=verify-full")).toEqual({});
  expect(encryption(`sslmode=verify-full&sslcert=${thisFile}&sslkey=${thisFile}`)).toEqual({ cert: ca, key: ca });
});

test.each([
  [
    "sslmode=prefer",
    'The address of the database has an sslmode "prefer" that is not known. Known are disable, require, verify-ca, verify-full; without any, nothing is encrypted.',
  ],
  [
    "sslrootcert=/ca.pem",
    "The address of the database has sslrootcert, but nothing is encrypted without sslmode. Add it.",
  ],
  ["sslmode=verify-ca", "sslmode=verify-ca needs the authority's certificate. Name its file with sslrootcert."],
  [
    "sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
    "The file of sslrootcert cannot be read (ENOENT: no such file or directory, open '/nowhere/ca.pem'). Correct the address of the database.",
  ],
])("%s is refused", (query, message) => {
  expect(() => encryption(query)).toThrow(new SettingError(message));
});
