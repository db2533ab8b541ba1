import { pageQuery } from '../../core/pagination.ts'
import { merchantSchemas } from '../../merchants/merchants.ts'
import { type Chapter, listAnswer } from '../operations.ts'
import { describedLike, inputSchema, outputSchema, ref } from '../schemas.ts'

export const merchantsChapter = (): Chapter => {
  const { create, update, view } = merchantSchemas
  const answer = (description: string) => ({ description, schema: ref('Merchant') })
  const [collection, object] = ['/admin/merchants', '/admin/merchants/:merchantId']
  const written = inputSchema(update)
  return {
    name: 'Merchants',
    description: 'Who has an account.',
    schemas: {
      MerchantCreate: inputSchema(create),
      MerchantUpdate: written,
      Merchant: describedLike(outputSchema(view), written),
    },
    operations: [
      {
        id: 'listMerchants',
        method: 'get',
        path: collection,
        summary: 'List merchants',
        access: 'operator',
        query: pageQuery,
        answers: { 200: listAnswer(ref('Merchant')) },
      },
      {
        id: 'createMerchant',
        method: 'post',
        path: collection,
        summary: 'Create a merchant',
        access: 'operator',
        body: ref('MerchantCreate'),
        answers: { 201: { ...answer('The new merchant.'), headers: ['Location', 'ETag'] } },
      },
      {
        id: 'retrieveMerchant',
        method: 'get',
        path: object,
        summary: 'Retrieve a merchant',
        access: 'operator',
        condition: 'If-None-Match',
        answers: { 200: { ...answer('The merchant.'), headers: ['ETag'] } },
      },
      {
        id: 'updateMerchant',
        method: 'post',
        path: object,
        summary: 'Update a merchant',
        access: 'operator',
        body: ref('MerchantUpdate'),
        condition: 'If-Match',
        answers: { 200: { ...answer('The merchant after the update.'), headers: ['ETag'] } },
      },
    ],
  }
}
