/** How an installed service is started: packages/cli/src/runtime-options.ts says why. The sources that tests start are not. */
export const asInstalled = { BUN_JSC_heapGrowthMaxIncrease: "0.6", BUN_JSC_useFTLJIT: "false" };
