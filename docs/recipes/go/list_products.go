// Prints the titles of all products, page by page. API_URL is https://…/merchants/mer_…
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"time"
)

var next = regexp.MustCompile(`<([^>]*)>;\s*rel="next"`)
var client = http.Client{Timeout: 30 * time.Second}

// readPage decodes one page and returns the address of the next one; nil on the last page.
func readPage(address *url.URL, key string, page any) (*url.URL, error) {
	request := &http.Request{Method: "GET", URL: address, Header: http.Header{"Authorization": {"Bearer " + key}}}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		problem, _ := io.ReadAll(response.Body)
		return nil, fmt.Errorf("%s: %s", response.Status, problem)
	}
	if err := json.NewDecoder(response.Body).Decode(page); err != nil {
		return nil, err
	}
	// The link is relative. Follow it instead of counting: a page can have fewer objects than `limit`.
	if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
		return address.Parse(link[1])
	}
	return nil, nil
}

func main() {
	address, err := url.Parse(os.Getenv("API_URL") + "/products?limit=10")
	for err == nil && address != nil {
		var products []struct{ Title string }
		address, err = readPage(address, os.Getenv("API_KEY"), &products)
		for _, product := range products {
			fmt.Println(product.Title)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}
