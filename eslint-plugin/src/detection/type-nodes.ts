/** What annotations say: the imported type that they name, on its own or in a container. */
import { keyName, type Node, type SourceCode } from '../ast.js';
import { definitionOf, importOf, variableOf } from './bindings.js';
import { classOf, type Origin } from './origins.js';

/** The object that an annotation describes: `Client`, `Promise<Client>`, `Client | undefined`, an alias of it. */
export function typeOrigin(sourceCode: SourceCode, type: Node | undefined, depth = 0): Origin | undefined {
  if (type === undefined || depth > 5) return undefined;
  switch (type.type) {
    case 'TSTypeReference': {
      const imported = importOf(sourceCode, type.typeName);
      if (imported !== undefined) return { imported, node: type, how: 'typed' };
      if (type.typeName.type !== 'Identifier') return undefined;
      if (TRANSPARENT.has(type.typeName.name))
        return typeOrigin(sourceCode, type.typeArguments?.params[0], depth + 1);
      const declared = definitionOf(variableOf(sourceCode, type.typeName))?.node;
      if (declared?.type === 'TSTypeAliasDeclaration')
        return typeOrigin(sourceCode, declared.typeAnnotation, depth + 1);
      if (declared?.type === 'ClassDeclaration' && declared.superClass !== null) {
        const superclass = classOf(sourceCode, declared.superClass);
        return superclass === undefined ? undefined : { imported: superclass, node: type, how: 'typed' };
      }
      return undefined;
    }
    case 'TSUnionType':
    case 'TSIntersectionType':
      return firstOf(type.types, (one) => typeOrigin(sourceCode, one, depth + 1));
    case 'TSImportType': {
      const { argument, qualifier } = type as unknown as {
        argument: { literal?: { value?: unknown } };
        qualifier: { name?: string } | null;
      };
      const module = argument.literal?.value;
      return typeof module === 'string' && qualifier?.name !== undefined
        ? { imported: { module, name: qualifier.name }, node: type, how: 'typed' }
        : undefined;
    }
    default:
      return undefined;
  }
}

const TRANSPARENT = new Set(['Promise', 'Readonly', 'NonNullable', 'Awaited', 'Required', 'Partial']);

/** What a container type holds: `Map<string, Client>`, `Client[]`, `Record<string, Client>`, or bare type arguments. */
export function elementTypeOf(sourceCode: SourceCode, type: Node | undefined): Origin | undefined {
  switch (type?.type) {
    case 'TSArrayType':
      return typeOrigin(sourceCode, type.elementType);
    case 'TSTypeOperator':
      return elementTypeOf(sourceCode, type.typeAnnotation);
    case 'TSTypeParameterInstantiation':
      return typeOrigin(sourceCode, type.params.at(-1));
    case 'TSTypeReference': {
      if (type.typeArguments !== undefined || type.typeName.type !== 'Identifier')
        return elementTypeOf(sourceCode, type.typeArguments);
      // type ClientsByName = ReadonlyMap<string, Client>
      const declared = definitionOf(variableOf(sourceCode, type.typeName))?.node;
      return declared?.type === 'TSTypeAliasDeclaration'
        ? elementTypeOf(sourceCode, declared.typeAnnotation)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The type of a member of an object type that is written in the file. */
export function memberTypeOf(
  sourceCode: SourceCode,
  type: Node | undefined,
  name: string,
  depth = 0,
): Origin | undefined {
  if (type === undefined || depth > 5) return undefined;
  const among = (members: readonly Node[]): Origin | undefined =>
    firstOf(members, (member) =>
      member.type === 'TSPropertySignature' && keyName(member) === name
        ? typeOrigin(sourceCode, member.typeAnnotation?.typeAnnotation)
        : undefined,
    );
  switch (type.type) {
    case 'TSTypeLiteral':
      return among(type.members);
    case 'TSUnionType':
    case 'TSIntersectionType':
      return firstOf(type.types, (one) => memberTypeOf(sourceCode, one, name, depth + 1));
    case 'TSTypeReference': {
      if (type.typeName.type !== 'Identifier') return undefined;
      if (TRANSPARENT.has(type.typeName.name))
        return memberTypeOf(sourceCode, type.typeArguments?.params[0], name, depth + 1);
      const declared = definitionOf(variableOf(sourceCode, type.typeName))?.node;
      if (declared?.type === 'TSInterfaceDeclaration') return among(declared.body.body);
      if (declared?.type === 'TSTypeAliasDeclaration')
        return memberTypeOf(sourceCode, declared.typeAnnotation, name, depth + 1);
      if (declared?.type === 'ClassDeclaration')
        return firstOf(declared.body.body, (member) =>
          member.type === 'PropertyDefinition' && keyName(member) === name
            ? typeOrigin(sourceCode, member.typeAnnotation?.typeAnnotation)
            : undefined,
        );
      return undefined;
    }
    default:
      return undefined;
  }
}

function firstOf<Item, Found>(
  items: readonly Item[],
  look: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
