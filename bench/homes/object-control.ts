/**
 * The control of requests in an object: the minimum cost that the platform allows. A bare Worker and a bare object that run the same statements as the
 * service in the same transaction, with one call of the object for each request. It has no router, validation, error handling or headers.
 * `test/bench/object-control.test.ts` compares both.
 */
import { DurableObject } from 'cloudflare:workers'
import { WriteTurns } from '../../src/app/home/write-turns.ts'
import {
  type Account,
  type BoundText,
  create,
  list,
  publish,
  type Row,
  retrieve,
  toHash,
  toView,
  updatePrice,
} from '../control-statements.ts'

type ObjectRow = Record<string, SqlStorageValue>

/** Has the name of the service's class, so that it opens the same database. */
export class MerchantHome extends DurableObject {
  readonly #storage: DurableObjectStorage
  readonly #turns = new WriteTurns()

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env)
    this.#storage = context.storage
    this.#storage.sql.exec('create table if not exists bench_rows (value text)')
  }

  #runAll(statements: readonly BoundText[]): ObjectRow[][] {
    return statements.map(([text, ...values]) => this.#storage.sql.exec(text, ...values).toArray())
  }

  read(statement: BoundText): ObjectRow[] {
    return this.#runAll([statement])[0] ?? []
  }

  async write(statements: readonly BoundText[]): Promise<void> {
    await this.#turns.gather()
    this.#storage.transactionSync(() => this.#runAll(statements))
  }

  /** Reads and writes in one call. Returns the changed product as JSON. */
  async updatePrice(account: Account, id: string, price: number): Promise<string> {
    await this.#turns.gather()
    return this.#storage.transactionSync(() => {
      const [row = {}] = this.read(retrieve(account, 'products', id))
      const { response, statements } = updatePrice(account, row, price)
      this.#runAll(statements)
      return JSON.stringify(response)
    })
  }

  /** The cost of the call. */
  returnConstant() {
    return 'constant'
  }

  /** The cost of the call and of a flush. */
  async insertRow(): Promise<string> {
    await this.#turns.gather()
    this.#storage.sql.exec('insert into bench_rows values (?)', 'row')
    return 'row'
  }
}

interface ControlBindings {
  DB: D1Database
  HOMES: DurableObjectNamespace<MerchantHome>
}

interface Known {
  account: Account
  /** Name of the merchant's object. */
  object: string
}
const known = new Map<string, Known>()

/** The account of a key, read from D1 once and then cached, as in the service. */
async function getAccount({ DB }: ControlBindings, authorization: string): Promise<Known> {
  const cached = known.get(authorization)
  if (cached) return cached
  const hash = await toHash(authorization.slice('Bearer '.length))
  const statement = DB.prepare('select keys.*, object from keys join homes using (merchant_id) where hash = ?')
  const row = await statement.bind(hash).first<Row>()
  const [key, merchant, test] = [String(row?.['id']), String(row?.['merchant_id']), Number(row?.['test_mode'])]
  const found = { account: { key, merchant, test }, object: `${merchant}.${row?.['object']}` }
  known.set(authorization, found)
  return found
}

const json = { headers: { 'content-type': 'application/json' } }

async function handle(request: Request, env: ControlBindings): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const [, area = '', , collection = '', id] = pathname.split('/')
  if (area === 'constant') return new Response('constant', json)
  const { account, object } = await getAccount(env, request.headers.get('authorization') ?? '')
  const stub = env.HOMES.get(env.HOMES.idFromName(object))
  if (area === 'call') return new Response(await stub.returnConstant(), json)
  if (area === 'row') return new Response(await stub.insertRow(), json)
  if (request.method === 'GET' && id !== undefined)
    return Response.json((await stub.read(retrieve(account, collection, id))).map(toView)[0])
  if (request.method === 'GET') {
    const limit = Number(searchParams.get('limit'))
    return Response.json((await stub.read(list(account, limit))).slice(0, limit).map(toView))
  }
  if (collection === 'events') {
    const { response, statements } = publish(account, await request.json<{ type: string; data: object }>())
    await stub.write(statements)
    return Response.json(response, { status: 202 })
  }
  const body = await request.json<Row>()
  if (id !== undefined) return new Response(await stub.updatePrice(account, id, Number(body['price'])), json)
  const { response, statements } = create(account, body)
  await stub.write(statements)
  return Response.json(response, { status: 201 })
}

export default { fetch: handle } satisfies ExportedHandler<ControlBindings>
