import { connect, HoldfastError } from "../../src/index";
import { collect, createToken, equal, given, holds, type Scenarios, thrownBy } from "./world";

export const keyScenarios: Scenarios = {
  "keys: list, read, rotate, retire": async ({ holdfast, mark }) => {
    const before = await collect(holdfast.keys.list());
    const second = await holdfast.keys.rotate();
    equal((await holdfast.keys.read(second.id)).id, second.id);
    const { token } = await createToken(holdfast, "viewer", mark());
    const signed = connect({ token });
    equal((await signed.caller.read()).kind, "service");
    await holdfast.keys.rotate();
    equal(await holdfast.keys.retire(second.id), undefined);
    const error = await thrownBy(() => signed.caller.read());
    holds(error instanceof HoldfastError && error.status === 401, `a token of a retired key is refused, not ${error}`);
    const after = await holdfast.keys.list({ limit: 1 }).first(before.length + 2);
    holds(after.length >= before.length + 1, "there is a new key");
    holds(given(after[0]).id !== second.id, "the retired key does not sign");
  },
};
