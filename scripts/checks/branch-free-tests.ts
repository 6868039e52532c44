import ts from "typescript";
import type { Check } from "./check";
import { readSourceFiles, type SourceFile } from "./source-files";

/** A test with a branch may pass because it took the other one. */
export const branchFreeTests: Check = {
  name: "no test has an if",
  find: async () => branchesInTests(await readSourceFiles("{packages,scripts,docs,bench}/**/*.test.ts")),
};

/** Where the body of a test has an if. Functions that tests call may have one. */
export function branchesInTests(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    return ifsOf(source, source, false).map((found) => {
      const { line } = source.getLineAndCharacterOfPosition(found.getStart(source));
      return `${path}:${line + 1}: a test has an if. Make two tests of it, a table, or a function that the test calls.`;
    });
  });
}

function ifsOf(source: ts.SourceFile, node: ts.Node, isInTest: boolean): ts.Node[] {
  const isTest = isInTest || (ts.isCallExpression(node) && /^test\b/.test(node.expression.getText(source)));
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(...ifsOf(source, child, isTest));
  });
  return isInTest && ts.isIfStatement(node) ? [node, ...children] : children;
}
