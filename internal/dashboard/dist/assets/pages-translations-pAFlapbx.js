import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query Translations($first: Int, $after: String, $last: Int, $before: String) {
  translations(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      locale
      content
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),n=new e(`
    query Translation($locale: String!) {
  translationByLocale(locale: $locale) {
    id
    locale
    content
    revision
    updatedAt
  }
  viewer {
    environment {
      defaultLocale
    }
  }
}
    `),r=new e(`
    query DefaultTexts($locales: [String!]) {
  translations(first: 1, filter: {localeIn: $locales}) {
    nodes {
      id
      content
    }
  }
}
    `),i=new e(`
    query MissingTranslations($first: Int, $after: String, $last: Int, $before: String, $filter: MissingTranslationFilter) {
  missingTranslations(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      key
      locales
      usages {
        kind
        name
        path
        line
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
    totalCount
  }
}
    `),a=new e(`
    mutation CreateTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) {
    translation {
      locale
    }
  }
}
    `),o=new e(`
    mutation UpdateTranslation($input: UpdateTranslationInput!) {
  updateTranslation(input: $input) {
    translation {
      revision
    }
  }
}
    `),s=new e(`
    mutation DeleteTranslation($id: ID!) {
  deleteTranslation(id: $id) {
    deletedId
  }
}
    `);export{n as a,i,r as n,t as o,s as r,o as s,a as t};