import { expect, test } from "bun:test";
import { hasPassword } from "./has-password";

test.each([
  "postgres://me:hush@db/holdfast",
  "postgresql://me:hu@sh@db,db2:5433/holdfast",
  "POSTGRES://:hush@db/holdfast",
  "postgres://db/holdfast?user=me&password=hush",
  "postgres://db/holdfast?PASSWORD=hush",
  "postgres://db/holdfast?sslpassword=hush",
  "host=db user=me password=hush",
  "password=hush host=db",
  "smtps://me:hush@mail.example.org",
])("%s has a password in it", (address) => {
  expect(hasPassword(address)).toBe(true);
});

test.each([
  "postgres://me@db:5432/holdfast",
  "postgres://db:5432,db2:5433/holdfast?sslmode=require",
  "postgres://[::1]:5432/holdfast",
  "postgres://db/holdfast?user=me",
  "postgres://db/holdfast?password=",
  "sqlite:/a:b@c",
  "sqlite:/var/lib/holdfast/holdfast.db",
  "https://backup.example.org:8443",
  "",
])("%s has none", (address) => {
  expect(hasPassword(address)).toBe(false);
});
