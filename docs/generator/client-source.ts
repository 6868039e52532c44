import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

const folder = join(import.meta.dir, "../../packages/client/src");

/** Sentences and the example, if there is one, of a comment in the client. */
export interface Comment {
  sentence: string;
  example?: string;
}

/** A part of an exported interface or class. */
export interface ClientMember extends Comment {
  name: string;
  signature: string;
  isMethod: boolean;
}

/** Something that the client exports. */
export interface ClientExport extends Comment {
  name: string;
  /** The module that programs import it from. */
  module: string;
  /** True if it is there at run time. */
  isValue: boolean;
  signature: string;
  members: ClientMember[];
}

/** The modules that programs import, and the files that they are. */
export const clientModules = { "@holdfast/client": "index", "@holdfast/client/report": "report/index" } as const;

/** Reads everything that the client exports, with its comments, in the order of its modules. */
export function readClientExports(): ClientExport[] {
  return Object.entries(clientModules).flatMap(([module, file]) => readModule(module, file));
}

function readModule(module: string, index: string): ClientExport[] {
  const exported = exportsOf(index);
  const named = new Map(exported.map(({ name, ...where }) => [name, where]));
  return [...named].map(([name, { isType, file }]) => {
    const { declaration, source } = findDeclaration(file, name);
    const comment = commentOf(declaration, source);
    if (comment.sentence === "") throw new Error(`${name} of the client has no sentence. Write one above it.`);
    // An interface may add to the generated one of the same name.
    const members = exported.filter((one) => one.name === name).flatMap((one) => membersOf(name, one.file));
    if (!comment.example && !members.some(({ example }) => example)) {
      throw new Error(`${name} of the client has no @example, nor has any member of it. Write one.`);
    }
    return { name, module, isValue: !isType, ...comment, signature: signatureOf(declaration, source), members };
  });
}

function membersOf(name: string, file: string): ClientMember[] {
  const { declaration, source } = findDeclaration(file, name);
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)) return [];
  return [...declaration.members].flatMap((member) => memberOf(member, source));
}

interface ExportedName {
  name: string;
  isType: boolean;
  file: string;
}

function parse(file: string): ts.SourceFile {
  const path = join(folder, `${file}.ts`);
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Names that a file exports. */
function exportsOf(file: string): ExportedName[] {
  return parse(file).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return [];
    if (!ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const from = posix.join(posix.dirname(file), statement.moduleSpecifier.text);
    if (!statement.exportClause) return interfacesIn(from);
    if (!ts.isNamedExports(statement.exportClause)) return [];
    return statement.exportClause.elements.map((element) => ({
      name: element.name.text,
      isType: statement.isTypeOnly || element.isTypeOnly,
      file: from,
    }));
  });
}

function interfacesIn(file: string): ExportedName[] {
  return parse(file)
    .statements.filter(ts.isInterfaceDeclaration)
    .map((declaration) => ({ name: declaration.name.text, isType: true, file }));
}

const modifiers = /^((export|override|readonly|async) )+/;

type Declaration = ts.InterfaceDeclaration | ts.ClassDeclaration | ts.FunctionDeclaration | ts.TypeAliasDeclaration;

function isDeclaration(node: ts.Node): node is Declaration {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function findDeclaration(file: string, name: string): { declaration: Declaration; source: ts.SourceFile } {
  const source = parse(file);
  const declaration = source.statements.filter(isDeclaration).find((node) => node.name?.text === name);
  if (declaration) return { declaration, source };
  const elsewhere = exportsOf(file).find((exported) => exported.name === name);
  if (!elsewhere) throw new Error(`${name} is not in ${file}.ts of the client.`);
  return findDeclaration(elsewhere.file, name);
}

/** The comment before a node. Its lines keep what they are indented by. */
function commentOf(node: ts.Node, source: ts.SourceFile): Comment {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = (comment?.getText(source) ?? "")
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .replace(/^[ \t]*\* ?/gm, "");
  const [sentence = "", example] = text.split(/^@example$/m);
  const shown = sentence
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .trim()
    .replace(/\s+/g, " ");
  return { sentence: shown, ...(example === undefined ? {} : { example: example.trim() }) };
}

function memberOf(member: ts.ClassElement | ts.TypeElement, source: ts.SourceFile): ClientMember[] {
  const name = member.name?.getText(source) ?? "";
  if (ts.isConstructorDeclaration(member) || name === "" || name.startsWith("#")) return [];
  const isMethod = ts.isMethodSignature(member) || ts.isMethodDeclaration(member);
  const signature = textUntilBody(member, source).replace(/^ {2}/gm, "");
  return [{ name, isMethod, ...commentOf(member, source), signature }];
}

/** Declaration without its body and without the comments of its members, which stand by themselves. */
function signatureOf(declaration: Declaration, source: ts.SourceFile): string {
  if (ts.isFunctionDeclaration(declaration)) return textUntilBody(declaration, source);
  const text = declaration.getText(source);
  if (ts.isTypeAliasDeclaration(declaration)) return text.replace(modifiers, "").replace(/;$/, "");
  return text
    .slice(0, declaration.members.pos - declaration.getStart(source) - 1)
    .replace(modifiers, "")
    .trim();
}

function textUntilBody(node: ts.Node & { body?: ts.Node | undefined }, source: ts.SourceFile): string {
  const until = node.body?.getStart(source) ?? node.getEnd();
  return source.text.slice(node.getStart(source), until).replace(modifiers, "").replace(/;$/, "").trim();
}
